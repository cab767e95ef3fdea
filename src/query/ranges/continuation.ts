/** Continuation tokens name a page of a snapshot. They are sealed: only this service reads them. */
import { accept, type Result, refuse } from '../../lib/result.ts';
import { createSealer } from '../../lib/sealer.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { ContinuationRequest } from '../../wire/questions/statistics-messages.ts';

export interface Position {
  readonly requestId: string;
  readonly accountId: number;
  /** URL path of the query. */
  readonly path: string;
  /** Rows before the page. */
  readonly offset: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A position as tokens hold it: those issued by earlier releases call its path `address`. */
type Sealed = Omit<Position, 'path'> & { readonly address: string };

export interface TokenSealer {
  /** Base64url text: its use in a URL needs no encoding, and encoding it changes nothing. */
  seal(position: Position): string;
  /** Refuses any text that `seal` did not make; the caller checks the expiry. */
  open(token: string): Result<Position, 'TOKEN_INVALID'>;
}

export function createTokenSealer(secret: string): TokenSealer {
  const sealer = createSealer(secret, 'playmeter continuation token v1');
  return {
    seal({ path, ...position }) {
      const sealed: Sealed = { ...position, address: path };
      return sealer.seal(JSON.stringify(sealed)).toString('base64url');
    },
    open(token) {
      // Base64 readers skip characters they do not know; only the exact text that was made counts.
      const bytes = Buffer.from(token, 'base64url');
      const text = bytes.toString('base64url') === token ? sealer.open(bytes) : undefined;
      if (text === undefined) return refuse('TOKEN_INVALID');
      const { address: path, ...position } = JSON.parse(text) as Sealed;
      return accept({ ...position, path });
    },
  };
}

interface ContinuationContext {
  readonly accountId: number;
  /** URL path of the query. */
  readonly path: string;
  readonly sealer: TokenSealer;
  readonly clock: Pick<Clock, 'now'>;
}

/** Where a continuation goes on; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
export function openPosition(request: ContinuationRequest, asked: ContinuationContext): Position {
  const { accountId, path, sealer, clock } = asked;
  const opened = sealer.open(request.nextToken);
  if (!opened.ok) throw tokenInvalid();
  const position = opened.value;
  const belongs =
    position.requestId === request.requestId &&
    position.accountId === accountId &&
    position.path === path;
  if (!belongs) throw tokenInvalid();
  if (position.expiresAt <= clock.now()) throw tokenExpired();
  return position;
}

function tokenInvalid(): Fault {
  const errors = [{ parameter: 'nextToken', detail: 'does not belong to this request' }];
  return new Fault('TOKEN_INVALID', 'nextToken does not belong to this request', { errors });
}

export function tokenExpired(): Fault {
  const errors = [{ parameter: 'nextToken', detail: 'has expired; start at the first page' }];
  return new Fault('TOKEN_EXPIRED', 'nextToken has expired; start at the first page', {
    errors,
  });
}
