/**
 * Limits the memory of answers that were made and are not sent yet: whoever asks for large ones and
 * reads none would fill it.
 */
import type { Caller } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { NoteLimited } from './rate-limit.ts';

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
