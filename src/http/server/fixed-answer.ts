/** Answers that are the same for everybody: made once, and sent as the same bytes each time. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface FixedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export function fixedAnswer(type: string, text: string): FixedAnswer {
  const bytes = Buffer.from(text);
  return { type, bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` };
}

/** A reader that has it asks again each time, and gets 304. */
export function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: FixedAnswer,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
  return reply.type(type).send(bytes);
}
