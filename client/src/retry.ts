import { PlaymeterError } from './playmeter-error.ts';

const firstDelayMs = 250;
const longestOwnDelayMs = 8_000;
/** A server that asks for more than its own window of limits is not waited for. */
const longestDelayMs = 60_000;

const retryableStatuses = [429, 502, 503, 504];
/** From a proxy or a firewall in between these pass; from the server itself they are final. */
const passingStatuses = [403, 404, 408, 425];

export function isRetryable(error: unknown): error is PlaymeterError {
  if (!(error instanceof PlaymeterError)) return false;
  const { status, code } = error;
  if (status === undefined || retryableStatuses.includes(status)) return true;
  return code === 'UNREADABLE' && passingStatuses.includes(status);
}

/**
 * How long to wait before retry 0, 1, 2 ...; undefined: longer than is worth while. `chance` is
 * from 0 to 1 and spreads the clients that all failed at one moment.
 */
export function retryDelayMs(
  retry: number,
  retryAfterSeconds: number | undefined,
  chance: number,
): number | undefined {
  const own = Math.min(firstDelayMs * 2 ** retry, longestOwnDelayMs);
  if (retryAfterSeconds === undefined) return own * (0.5 + chance / 2);
  // Never earlier than asked for.
  const delayMs = retryAfterSeconds * 1_000 + chance * firstDelayMs;
  return retryAfterSeconds * 1_000 > longestDelayMs ? undefined : delayMs;
}
