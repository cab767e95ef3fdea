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
  // Each process of the service has its part of what may be set apart.
  const apartBytes = Math.ceil(limits.apartBytes / config.WORKERS);
  return createAbuseDetector({ limits: { ...limits, apartBytes }, secret, clock, logger });
}

/** Imports come with a key: only the length of the film bounds them, and nothing is hashed. */
export function createImportAbuseDetector({ config, clock, logger }: Configured): AbuseDetector {
  return createAbuseDetector({ limits: readAbuseLimits(config), secret: '', clock, logger });
}

export function readAbuseLimits(config: Config): UsualLimits {
  return {
    ADDRESS: { views: config.USUAL_VIEWS_BY_ADDRESS, players: config.USUAL_PLAYERS_BY_ADDRESS },
    VIEWER: { views: config.USUAL_VIEWS_BY_VIEWER, players: config.USUAL_PLAYERS_BY_VIEWER },
    VIDEO: { views: config.USUAL_VIEWS_BY_VIDEO, players: config.USUAL_PLAYERS_BY_VIDEO },
    lengths: config.USUAL_LENGTHS,
    apartBytes: config.SET_APART_MB_PER_DAY * 1_000_000,
  };
}
