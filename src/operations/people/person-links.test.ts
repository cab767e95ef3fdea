/** The links by which a person sets a password or an address: how long they work, and who is told. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { addLibrary } from '../../../test/support/catalogs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { accepted } from '../refusal-faults.ts';
import { createEmailPath, createResetPath, resetSent, resetShown } from './person-links.ts';

const halfHourMs = 1_800_000;
const clock = manualClock();
let catalog: Catalog;
let personId: number;
beforeAll(async () => {
  catalog = await openCatalogAlone(clock);
  const kim = { email: 'kim@example.com', name: 'Kim', language: 'ko' } as const;
  ({ personId } = accepted(await catalog.people.create(kim)));
});
afterAll(() => catalog.close());

const tokenIn = (path: string) => path.replace(/^\/#\w+=/, '');

test('a link for a new password works for half an hour', async () => {
  const link = tokenIn(await createResetPath(catalog, personId, resetShown));
  clock.advance(halfHourMs - 1);
  expect(await catalog.sessions.findPersonLink(link)).toBe(personId);
  clock.advance(1);
  expect(await catalog.sessions.findPersonLink(link)).toBeUndefined();
});

test.each([
  [halfHourMs - 1, true],
  [halfHourMs, false],
])('a link for another address is followed after %i ms: %s', async (afterMs, isValid) => {
  const link = tokenIn(await createEmailPath(catalog, personId, `new${afterMs}@example.com`));
  clock.advance(afterMs);
  expect((await catalog.people.confirmEmail(link)) !== undefined).toBe(isValid);
});

test('one that somebody else is shown is in the audit of the service, one mailed to a member is not', async () => {
  const { accountId } = await addLibrary(catalog);
  const owner = { accountId, personId, role: 'owner', packageIds: undefined } as const;
  accepted(await catalog.memberships.put(owner));
  const newest = async () => (await catalog.audit.listOfService({ limit: 1 }))[0];
  const before = await newest();
  await createResetPath(catalog, personId, resetSent);
  expect(await newest()).toEqual(before);
  const acting = catalog.as({ kind: 'COMMAND_LINE', userName: 'root' });
  const path = await createResetPath(acting, personId, resetShown);
  const noted = await newest();
  expect(noted).toMatchObject({
    ...{ action: 'RESET_SHOWN', object: String(personId), actor: 'COMMAND_LINE' },
  });
  expect(JSON.stringify(noted)).not.toContain(tokenIn(path));
});
