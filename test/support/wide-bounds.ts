/** For tests of what is counted, and not of what is usual: bounds that nothing meets. */
import type { UsualLimits } from '../../src/collect/abuse/abuse-detector.ts';

const most = 100_000_000;
const pace = { views: most, players: most, rows: 0 };

export const wideLimits: UsualLimits = {
  ...{ ADDRESS: pace, VIEWER: pace, VIDEO: pace, ACCOUNT: pace },
  ...{ lengths: 0, stretches: 0, apartBytes: 0 },
};

/** The same as settings. */
export const wideBounds = {
  USUAL_VIEWS_BY_ADDRESS: String(most),
  USUAL_PLAYERS_BY_ADDRESS: String(most),
  USUAL_VIEWS_BY_VIDEO: String(most),
  USUAL_PLAYERS_BY_VIDEO: String(most),
  USUAL_VIEWS_BY_VIEWER: String(most),
  USUAL_PLAYERS_BY_VIEWER: String(most),
  USUAL_MB_BY_ADDRESS: '0',
  USUAL_MB_BY_ACCOUNT: '0',
  USUAL_LENGTHS: '0',
  USUAL_STRETCHES: '0',
  NEW_VALUES_BY_ADDRESS: '0',
} as const;
