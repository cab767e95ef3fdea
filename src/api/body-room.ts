/**
 * Bounds what the bodies of all requests under way hold together. One that comes whole is gone at
 * once; those that come slowly, and are large, would add up.
 */
import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../wire/faults.ts';

const usualRoomBytes = 64 * 1_024 * 1_024;
/** So much any body may hold, however full it is: about as much as its connection does. */
const freeBytes = 16 * 1_024;

export interface Holding {
  /** To be called for each piece that came; throws UNAVAILABLE where there is no room for it. */
  hold(bytes: number): void;
  /** To be called when the body is whole, refused or given up. */
  release(): void;
}

export type BodyRoom = () => Holding;

export function createBodyRoom(roomBytes = usualRoomBytes): BodyRoom {
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

/** Of every body that the framework reads. */
export function boundBodies(app: FastifyInstance, room: BodyRoom): void {
  // Not async: the framework has to listen before the first piece comes.
  app.addHook('preParsing', ({ headers }, reply, payload, done) => {
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (!hasBody) return done(null, payload);
    const holding = room();
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, passed) {
        try {
          holding.hold(chunk.length);
          passed(null, chunk);
        } catch (fault) {
          passed(fault as Fault);
        }
      },
    });
    // What nobody reads any more is thrown away: behind it comes the next request.
    const discard = () => payload.unpipe(bounded).resume();
    bounded.on('error', discard);
    reply.raw.on('finish', discard);
    payload.on('error', (error) => bounded.destroy(error));
    payload.on('close', holding.release);
    bounded.on('close', holding.release);
    done(null, payload.pipe(bounded));
  });
}

function unavailable(): Fault {
  return new Fault('UNAVAILABLE', 'Too much is being received', { retryAfterSeconds: 5 });
}
