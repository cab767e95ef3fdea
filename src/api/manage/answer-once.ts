/** A POST with an Idempotency-Key happens once a day, however often it is sent. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Caller, Catalog, CatalogParts } from '../../catalog/catalog.ts';
import { Fault } from '../../wire/faults.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { keyOf } from '../authenticate.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

export const idempotencyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Any text that is new for each thing to be done, such as a UUID. Sent again within a day ' +
        'with the same key and body, the request is answered as it was the first time.',
      examples: ['0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11'],
    }),
  ),
});

export interface ManageAnswer {
  readonly status: number;
  readonly body?: object;
}

interface Sent {
  readonly caller: Caller;
  readonly catalog: Catalog;
  readonly message: object;
}

export async function answerOnce(
  request: FastifyRequest,
  { caller, catalog, message }: Sent,
  run: (catalog: CatalogParts) => Promise<ManageAnswer>,
): Promise<ManageAnswer> {
  const idempotencyKey = request.headers['idempotency-key'];
  if (idempotencyKey === undefined) return run(catalog);
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    const detail = 'must be 1 to 255 visible ASCII characters';
    throw parameterFault([{ parameter: 'Idempotency-Key', detail }]);
  }
  // Of the sender's own key only the hash is stored: what it seals, nobody else can read.
  const secret = `${keyOf(request)} ${idempotencyKey}`;
  const name = { keyId: caller.keyId, address: addressOf(request), idempotencyKey };
  const fingerprint = createHash('sha256').update(JSON.stringify(message)).digest('hex');
  const kept = await catalog.idempotentWrites.once(name, fingerprint, async (parts) =>
    sealAnswer(JSON.stringify(await run(parts)), secret),
  );
  if (kept.fingerprint !== fingerprint) {
    throw new Fault('CONFLICT', 'This Idempotency-Key came with another body before');
  }
  return JSON.parse(openAnswer(kept.answer, secret)) as ManageAnswer;
}

function addressOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? url;
}
