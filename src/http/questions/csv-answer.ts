/** An answer as CSV, in portions. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { attachment } from '../server/security-headers.ts';

/** `bom`: the parameter of that name. */
export function sendCsv(
  reply: FastifyReply,
  portions: Iterable<string>,
  bom: string | string[] | undefined,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment('answer.csv'))
    .send(Readable.from(inTurns(bom === '1' ? withMark(portions) : portions)));
}

function* withMark(portions: Iterable<string>): Iterable<string> {
  yield '\ufeff';
  yield* portions;
}

/** A client that reads fast would otherwise be given all of it at once. */
async function* inTurns(portions: Iterable<string>): AsyncGenerator<string> {
  for (const portion of portions) {
    yield portion;
    await nextTurn();
  }
}

/** Whether a header `Accept` prefers CSV to JSON; of two that it wants alike the first. */
export function acceptsCsv(accept: string | undefined): boolean {
  const wanted = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) };
  });
  const csv = wanted.findIndex(({ type }) => type === 'text/csv');
  const json = wanted.findIndex(({ type }) => type === 'application/json');
  const csvQuality = wanted[csv]?.quality ?? 0;
  const jsonQuality = wanted[json]?.quality ?? 0;
  if (!(csvQuality > 0)) return false;
  return csvQuality === jsonQuality ? csv < json : csvQuality > jsonQuality;
}
