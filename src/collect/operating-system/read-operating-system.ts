import { isBroadest, isKindOf, type OperatingSystemName } from './operating-system-names.ts';
import { readPlatform, readPlatformVersion } from './read-platform-hint.ts';
import { readUserAgent } from './read-user-agent.ts';
import { rememberRecent } from './remember-recent.ts';
import { unknown } from './version-form.ts';

/**
 * What a sender says about its system. `platform` and `platformVersion` are the values of
 * `Sec-CH-UA-Platform` and `Sec-CH-UA-Platform-Version`, with or without their quotes.
 */
export interface OperatingSystemEvidence {
  userAgent?: string | undefined;
  platform?: string | undefined;
  platformVersion?: string | undefined;
}

/** `name` is one of `operatingSystemNames`; each is `Unknown` where it cannot be told. */
export interface OperatingSystem {
  readonly name: OperatingSystemName;
  readonly version: string;
}

/** What stands behind this in a real User-Agent is app names, never the system. */
export const userAgentLimitChars = 512;
const hintLimitChars = 64;
const rememberedLimitEntries = 4096;

// Module state, but of no consequence: the function is pure, so the memory shows in time only.
const remembered = rememberRecent<OperatingSystem>(rememberedLimitEntries);

/**
 * The operating system that a beacon came from. Runs for every beacon; never throws, whatever a
 * stranger sends. An iPad that asks for desktop pages has the User-Agent of a Mac, and counts as
 * one unless `platform` says `iPadOS`.
 */
export function readOperatingSystem(evidence: OperatingSystemEvidence): OperatingSystem {
  const userAgent = asText(evidence.userAgent, userAgentLimitChars);
  const platform = asText(evidence.platform, hintLimitChars);
  const platformVersion = asText(evidence.platformVersion, hintLimitChars);
  const work = () => weigh(userAgent, platform, platformVersion);
  // TRICKY: a string that was cut keeps the whole of the longer one alive; remembering such keys
  // would let 4096 senders hold a request body each.
  const whole = userAgent === (evidence.userAgent ?? '') && userAgent.length > 0;
  if (!whole) return work();
  return remembered.recall(`${platform}\n${platformVersion}\n${userAgent}`, work);
}

/** The hints win; the User-Agent says more only where it agrees with them. */
function weigh(userAgent: string, platform: string, platformVersion: string): OperatingSystem {
  const told = readUserAgent(userAgent);
  const hinted = readPlatform(platform);
  if (hinted === undefined && !isBroadest(told.name)) return Object.freeze(told);
  const kind = hinted === undefined || isKindOf(told.name, hinted);
  const name = kind ? told.name : hinted;
  const version = readPlatformVersion(name, hinted ?? name, platformVersion);
  if (version !== unknown || name !== told.name) return Object.freeze({ name, version });
  return Object.freeze(told);
}

function asText(value: unknown, limitChars: number): string {
  return typeof value === 'string' ? value.slice(0, limitChars) : '';
}
