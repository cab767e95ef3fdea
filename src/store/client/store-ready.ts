/** How a store that is not ready appears to callers and to the operator. */
import { Fault } from '../../vocabulary/faults.ts';
import { reasonOf } from './store-failure.ts';

/** Throws UNAVAILABLE if there is a reason, which is the operator's alone. */
export function requireNone(reason: string | undefined): void {
  if (reason === undefined) return;
  const options = { retryAfterSeconds: 1, cause: new Error(reason) };
  throw new Fault('UNAVAILABLE', 'The statistics store is not ready', options);
}

/** The store's own message, for the operator. */
export function saySo(cause: unknown): never {
  throw new Fault('UNAVAILABLE', reasonOf(cause), { cause });
}
