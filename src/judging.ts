/** Makes the judge of unusual playback by the configuration. */
import { createJudge, type Judge, type UsualLimits } from './collect/unusual/judge.ts';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { readSecret } from './secret.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function judgeOf({ config, clock, logger }: Configured): Promise<Judge> {
  const secret = await readSecret(config);
  const limits = usualLimitsOf(config);
  // Each process of the service has its part of what may be set apart.
  const apartBytes = Math.ceil(limits.apartBytes / config.WORKERS);
  return createJudge({ limits: { ...limits, apartBytes }, secret, clock, logger });
}

/** Imports come with a key: only the length of the film bounds them, and nothing is hashed. */
export function judgeOfImports({ config, clock, logger }: Configured): Judge {
  return createJudge({ limits: usualLimitsOf(config), secret: '', clock, logger });
}

export function usualLimitsOf(config: Config): UsualLimits {
  return {
    ADDRESS: { views: config.USUAL_VIEWS_BY_ADDRESS, players: config.USUAL_PLAYERS_BY_ADDRESS },
    VIEWER: { views: config.USUAL_VIEWS_BY_VIEWER, players: config.USUAL_PLAYERS_BY_VIEWER },
    VIDEO: { views: config.USUAL_VIEWS_BY_VIDEO, players: config.USUAL_PLAYERS_BY_VIDEO },
    lengths: config.USUAL_LENGTHS,
    apartBytes: config.SET_APART_MB_PER_DAY * 1_000_000,
  };
}
