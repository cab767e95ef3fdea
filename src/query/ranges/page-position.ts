import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { ContinuationRequest } from '../../wire/questions/statistics-messages.ts';
import type { Position, TokenSealer } from './continuation.ts';

interface Asked {
  readonly accountId: number;
  /** URL path of the query. */
  readonly path: string;
  readonly sealer: TokenSealer;
  readonly clock: Pick<Clock, 'now'>;
}

/** Where a continuation goes on; faults with TOKEN_INVALID or TOKEN_EXPIRED. */
export function openPosition(request: ContinuationRequest, asked: Asked): Position {
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
