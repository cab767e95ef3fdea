/**
 * Limits the memory that the bodies of all requests together hold. One that comes at once is gone
 * at once; large ones that come slowly would add up.
 */
import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../vocabulary/faults.ts';
import { gatherPieces } from './body-pieces.ts';

const usualRoomBytes = 64 * 1_024 * 1_024;
/** Every body may hold this much, even at the limit: about as much as its connection does. */
const freeBytes = 16 * 1_024;

export interface Holding {
  /** Call it for each chunk; throws UNAVAILABLE if there is no room for it. */
  hold(bytes: number): void;
  /** Call it when the request is answered or aborted: until then its content is in memory. */
  release(): void;
}

export type BodyMemory = () => Holding;

export function createBodyMemory(roomBytes = usualRoomBytes): BodyMemory {
  let held = 0;
  return () => {
    let arrived = 0;
    let own = 0;
    return {
      hold(bytes) {
        arrived += bytes;
        const more = Math.max(0, arrived - freeBytes) - own;
        if (held + more > roomBytes) throw unavailable();
        own += more;
        held += more;
      },
      release() {
        held -= own;
        own = 0;
      },
    };
  };
}

/** Counts every body that the framework reads. */
export function boundBodies(app: FastifyInstance, room: BodyMemory): void {
  // Not async: the framework must listen before the first chunk comes.
  app.addHook('preParsing', ({ headers }, reply, payload, done) => {
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (!hasBody) return done(null, payload);
    const holding = room();
    const gathering = gatherPieces();
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, passed) {
        try {
          holding.hold(chunk.length);
          for (const ready of gathering.add(chunk)) this.push(ready);
          passed();
        } catch (fault) {
          passed(fault as Fault);
        }
      },
      flush(passed) {
        for (const ready of gathering.rest()) this.push(ready);
        passed();
      },
    });
    // The rest is read and discarded: the next request follows it on the connection.
    const discard = () => payload.unpipe(bounded).resume();
    bounded.on('error', discard);
    reply.raw.on('finish', discard);
    payload.on('error', (error) => bounded.destroy(error));
    reply.raw.on('close', holding.release);
    done(null, payload.pipe(bounded));
  });
}

function unavailable(): Fault {
  const options = { retryAfterSeconds: 5, reason: 'overload' } as const;
  return new Fault('UNAVAILABLE', 'Too many bodies are being received', options);
}
