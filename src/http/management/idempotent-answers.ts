/** Makes a POST with an Idempotency-Key take effect once a day, however often it is sent. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Catalog, CatalogParts, WriteName } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { createSealer } from '../../lib/sealer.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { findKey } from '../authentication/authentication.ts';
import { readSession } from '../authentication/session-cookie.ts';

export const idempotencyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'A new text for each action, such as a UUID. If the request is sent again within a day ' +
        'with the same text and body, it is not run again and gets the first answer. An account ' +
        'has 50,000 answers stored; beyond that the oldest go first.',
      examples: ['0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11'],
    }),
  ),
});

/** Never changes: what was sealed for it is opened for it. */
const sealedFor = 'playmeter kept answer v1';

export interface ManageAnswer {
  readonly status: number;
  readonly body?: unknown;
}

interface Sent {
  readonly sender: Pick<WriteName, 'accountId' | 'actor'>;
  readonly catalog: Catalog;
  readonly message: object;
}

export async function answerOnce(
  request: FastifyRequest,
  { sender, catalog, message }: Sent,
  run: (catalog: CatalogParts) => Promise<ManageAnswer>,
): Promise<ManageAnswer> {
  const idempotencyKey = request.headers['idempotency-key'];
  if (idempotencyKey === undefined) return run(catalog);
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    const detail = 'must be 1 to 255 visible ASCII characters';
    throw parameterFault([{ parameter: 'Idempotency-Key', detail }]);
  }
  // An answer may hold a new API key, which is stored nowhere else. It is sealed with the sender's
  // own key or session, of which only the hash is stored, so that nobody else can read it.
  const secret = findKey(request) ?? readSession(request);
  assert(secret !== undefined, 'nobody manages without a key or a session');
  const sealer = createSealer(`${secret} ${idempotencyKey}`, sealedFor);
  const name = { ...sender, path: readPath(request), idempotencyKey };
  const fingerprint = createHash('sha256').update(JSON.stringify(message)).digest('hex');
  const stored = await catalog.idempotentWrites.once(name, fingerprint, async (parts) =>
    sealer.seal(JSON.stringify(await run(parts))),
  );
  if (stored.fingerprint !== fingerprint) {
    throw new Fault('CONFLICT', 'This Idempotency-Key was used before with another body');
  }
  const answer = sealer.open(stored.answer);
  if (answer === undefined) {
    throw new Fault('CONFLICT', 'This Idempotency-Key was used before in another session');
  }
  return JSON.parse(answer) as ManageAnswer;
}

function readPath({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? url;
}
