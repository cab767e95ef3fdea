import type { LogEvent } from '../../src/collect/forms/player-log/log-event.ts';

/** The event of a player log that shows a play, and no range. */
export const playEvent: LogEvent = {
  accountId: 1,
  packageId: 2,
  videoId: 3,
  view: 'view',
  sessionStartMs: Date.UTC(2026, 10, 20, 12),
  isSealed: false,
  token: undefined,
  showsPlay: true,
  range: undefined,
  stoppedAtMs: undefined,
};
