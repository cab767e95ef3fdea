/** Logs which keys were refused, where, and from which address: whoever tries keys is seen. */

import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Attempt } from './wrong-key-limit.ts';

const logEveryMs = 1_000;
const refusalCodes: readonly string[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'];
/** The part of a key that lists show as well. */
const shown = /^pm_[A-Za-z0-9_-]{8}(?=[A-Za-z0-9_-]{43}$)/;

export interface RefusalNotesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Does nothing for what is no refusal, such as an outage of the catalog. */
export type NoteRefused = (attempt: Attempt, route: string | undefined, cause: unknown) => void;

/** One entry a second at most, with the number of refusals since the one before. */
export function createRefusalNotes({ clock, logger }: RefusalNotesOptions): NoteRefused {
  const seldom = createThrottle(clock, logEveryMs);
  return ({ secret, address }, route, cause) => {
    if (!(cause instanceof Fault) || !refusalCodes.includes(cause.code)) return;
    seldom((refusals) => {
      // Only the beginning, and only of what has the form of a key: it may be any password.
      const prefix = shown.exec(secret)?.[0];
      // Players send no key; one with a wrong key is still a viewer's, whose address is not logged.
      const from = route?.startsWith('/collect/') ? {} : { address };
      logger.warn({ code: cause.code, route, ...from, prefix, refusals }, 'key refused');
    });
  };
}
