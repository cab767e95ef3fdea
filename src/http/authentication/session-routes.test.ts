import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { createBeginForPerson } from './session-routes.ts';

test('who knew the password that was changed meanwhile is not signed in', async () => {
  const catalog = await openCatalogAlone(manualClock());
  onTestFinished(() => catalog.close());
  const person = { name: 'Kim', email: 'kim@example.com', language: 'en' as const };
  const { personId } = accepted(await catalog.people.create(person));
  accepted(await catalog.people.setPassword(personId, 'the new hash'));
  const place = { device: 'Firefox, Linux', address: '192.0.2.1', country: 'KR' };
  const begin = createBeginForPerson({
    ...{ catalog, placeOf: () => place, sendMail: undefined, url: 'https://media.example' },
  });
  // It is refused before the request is answered.
  const [request, reply] = [{} as FastifyRequest, {} as FastifyReply];
  const proof = { passwordHash: 'the old hash' };
  await expect(begin(personId, request, reply, { proof })).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect(await catalog.sessions.listOf(personId)).toEqual([]);
});
