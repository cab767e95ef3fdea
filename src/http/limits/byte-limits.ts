/**
 * Bytes: the memory that the bodies of all requests together hold, and answers that were made and
 * are not sent yet. A body that comes at once is gone at once; large ones that come slowly would
 * add up, and so would large answers that nobody reads.
 */
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { NoteLimited } from './rate-limits.ts';

const mostBodyBytes = 64 * 1_024 * 1_024;
/** Every body may hold this much, even at the limit: about as much as its connection does. */
const freeBytes = 16 * 1_024;

export interface Holding {
  /** Call it for each chunk; throws UNAVAILABLE if there is no room for it. */
  hold(bytes: number): void;
  /** Call it when the request is answered or aborted: until then its content is in memory. */
  release(): void;
}

export type BodyMemory = () => Holding;

export function createBodyMemory(roomBytes = mostBodyBytes): BodyMemory {
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

/** So few take little, and need not be copied: most bodies come in one. */
const keptAsTheyCame = 8;
const smallPieceBytes = 4 * 1_024;
const gatheredBytes = 16 * 1_024;

interface Gathering {
  /** What is ready to be passed on, in order. */
  add(piece: Buffer): readonly Buffer[];
  /** Call it after the last piece. */
  rest(): readonly Buffer[];
}

/**
 * Puts small pieces of a body together as they come: each that is kept takes some 300 bytes besides
 * its own, and whoever sends in chunks may send each byte by itself.
 */
export function gatherPieces(): Gathering {
  let pieces = 0;
  let gathered: Buffer | undefined;
  let used = 0;
  const rest = (): Buffer[] => {
    if (gathered === undefined || used === 0) return [];
    const ready = Buffer.from(gathered.subarray(0, used));
    used = 0;
    return [ready];
  };
  return {
    add(piece) {
      pieces += 1;
      if (pieces <= keptAsTheyCame || piece.length >= smallPieceBytes) return [...rest(), piece];
      const ready = used + piece.length > gatheredBytes ? rest() : [];
      gathered ??= Buffer.allocUnsafeSlow(gatheredBytes);
      used += piece.copy(gathered, used);
      return ready;
    },
    rest,
  };
}

/** Bytes of a small beacon or event; nearly all are larger. */
const bytesPerItem = 128;

/** The most beacons or events that a body can contain, by its announced length. */
export function mostItemsIn({ headers }: IncomingMessage, limit: number): number {
  const length = headers['content-length'];
  return length === undefined ? limit : Math.min(limit, Math.ceil(Number(length) / bytesPerItem));
}

/* Answers that are not sent yet. */

/** About what a row takes, as text or until it is one. */
const bytesPerRow = 100;
/** Smaller ones are sent at once, whatever else waits: the system's own buffers take them. */
const smallBytes = 64 * 1_024;
const mebibyte = 1_024 * 1_024;
const usualRoom = { ofAccount: 96 * mebibyte, ofShares: 32 * mebibyte, inAll: 256 * mebibyte };

type Reading = Pick<Caller, 'accountId'> & { readonly shareId?: number };

interface Sending {
  readonly closed: boolean;
  once(event: 'close', then: () => void): unknown;
}

/** Counts an answer until it is sent or its connection is lost. Throws RATE_LIMITED. */
export type HoldUnsent = (caller: Reading, rows: number, response: Sending) => void;

export function createUnsentAnswers(noteLimited: NoteLimited, room = usualRoom): HoldUnsent {
  const held = new Map<string, number>();
  let inAll = 0;
  return (caller, rows, response) => {
    const bytes = rows * bytesPerRow;
    if (bytes < smallBytes || response.closed) return;
    const { accountId, shareId } = caller;
    // The readers of an account's shares do not keep its owner waiting.
    const name = shareId === undefined ? `account ${accountId}` : `shares ${accountId}`;
    const own = held.get(name) ?? 0;
    const most = shareId === undefined ? room.ofAccount : room.ofShares;
    if (own + bytes > most || inAll + bytes > room.inAll) {
      noteLimited(caller, 'AT_ONCE');
      throw new Fault('RATE_LIMITED', 'Too many large answers wait to be read', {
        retryAfterSeconds: 1,
        limit: 'questions',
      });
    }
    held.set(name, own + bytes);
    inAll += bytes;
    response.once('close', () => {
      inAll -= bytes;
      const left = (held.get(name) ?? bytes) - bytes;
      if (left > 0) held.set(name, left);
      else held.delete(name);
    });
  };
}
