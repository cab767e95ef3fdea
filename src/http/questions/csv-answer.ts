/** An answer as CSV, in portions. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import { attachment } from '../server/security-headers.ts';

export function sendCsv(reply: FastifyReply, portions: Iterable<string>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment('answer.csv'))
    .send(Readable.from(inTurns(portions)));
}

/** A client that reads fast would otherwise be given all of it at once. */
async function* inTurns(portions: Iterable<string>): AsyncGenerator<string> {
  for (const portion of portions) {
    yield portion;
    await nextTurn();
  }
}
