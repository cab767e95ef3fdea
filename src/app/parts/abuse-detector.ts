/** Makes the judge of unusual playback by the configuration. */
import {
  type AbuseDetector,
  createAbuseDetector,
  type UsualLimits,
} from '../../collect/abuse/abuse-detector.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createConfiguredAbuseDetector(
  { config, clock, logger }: Configured,
  secret: string,
): AbuseDetector {
  const limits = readAbuseLimits(config);
  // Each process of the service has its part of what an account may store.
  const apartBytes = Math.ceil(limits.apartBytes / config.WORKERS);
  const ACCOUNT = { ...limits.ACCOUNT, rows: Math.ceil(limits.ACCOUNT.rows / config.WORKERS) };
  return createAbuseDetector({ limits: { ...limits, ACCOUNT, apartBytes }, secret, clock, logger });
}

/** Imports come with a key: only the length of the film bounds them, and nothing is hashed. */
export function createImportAbuseDetector({ config, clock, logger }: Configured): AbuseDetector {
  return createAbuseDetector({ limits: readAbuseLimits(config), secret: '', clock, logger });
}

/** As strangers draw them, which compress badly, with its sums. */
const bytesOfRow = 300;

export function readAbuseLimits(config: Config): UsualLimits {
  const rowsOf = (mb: number) => Math.ceil((mb * 1_000_000) / bytesOfRow);
  const paceOf = (views: number, players: number, mbPerDay = 0) => {
    return { views, players, rows: rowsOf(mbPerDay) };
  };
  return {
    ADDRESS: paceOf(
      config.USUAL_VIEWS_BY_ADDRESS,
      config.USUAL_PLAYERS_BY_ADDRESS,
      config.USUAL_MB_BY_ADDRESS,
    ),
    VIEWER: paceOf(config.USUAL_VIEWS_BY_VIEWER, config.USUAL_PLAYERS_BY_VIEWER),
    VIDEO: paceOf(config.USUAL_VIEWS_BY_VIDEO, config.USUAL_PLAYERS_BY_VIDEO),
    ACCOUNT: paceOf(0, 0, config.USUAL_MB_BY_ACCOUNT),
    lengths: config.USUAL_LENGTHS,
    stretches: config.USUAL_STRETCHES,
    apartBytes: config.SET_APART_MB_PER_DAY * 1_000_000,
  };
}
