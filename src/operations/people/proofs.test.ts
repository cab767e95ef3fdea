/** How wrong passwords are slowed; what whoever tries is answered: test/api/people.test.ts. */
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters } from '../../lib/limits/limiter.ts';
import { createPasswords } from '../../lib/password-hash.ts';
import { createSealer } from '../../lib/sealer.ts';
import type { Fault } from '../../vocabulary/faults.ts';
import { accepted } from '../refusal-faults.ts';
import { createProofs } from './proofs.ts';

const kim = { email: 'kim@example.com', name: 'Kim', language: 'ko' } as const;
const password = 'three river stones';

test('after too many tries a person is refused for a minute and noted once, however many more there are', async () => {
  const clock = manualClock();
  const catalog = await openCatalogAlone(clock);
  onTestFinished(() => catalog.close());
  const passwords = createPasswords(clock, () => new Error('one at a time'));
  const proofs = createProofs({
    ...{ catalog, passwords, clock, limiterOf: createProcessLimiters(clock) },
    secondFactorSealer: createSealer('a secret', 'a second factor'),
    logger: { error: () => expect.unreachable('all is noted') },
  });
  const { personId } = accepted(await catalog.people.create(kim));
  accepted(await catalog.people.setPassword(personId, await passwords.hash(password)));
  const signIn = (given: string) =>
    proofs
      .signIn({ email: kim.email, password: given, code: undefined }, '192.0.2.1')
      .catch((fault: Fault) => fault);
  const guess = async (times: number) => {
    for (let tries = 0; tries < times; tries += 1) await signIn('wrong river stones');
  };
  await guess(30);
  const refused = await signIn(password);
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  // Tries that are not looked at make it no longer.
  clock.advance(59_999);
  await guess(30);
  expect(await signIn(password)).toMatchObject({ code: 'RATE_LIMITED' });
  clock.advance(1);
  expect(await signIn(password)).toMatchObject({ personId });
  // Noted last.
  await guess(1);
  clock.advance(100);
  const count = async (wanted: string) => {
    const entries = await catalog.audit.listOfService({ limit: 100 });
    return entries.filter(({ action }) => action === wanted).length;
  };
  await expect.poll(() => count('SIGN_IN_REFUSED')).toBe(11);
  expect(await count('SIGN_IN_SLOWED')).toBe(1);
});
