import { rememberLast } from '../../../lib/values/last-result.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import { createUserAgentRecall, userAgentLimitChars } from '../user-agent-memory.ts';
import { safariVersion } from './apple-rules.ts';
import { isBroadest, isKindOf, type OperatingSystem } from './operating-system-names.ts';
import { readPlatform, readPlatformVersion } from './platform-hint.ts';
import { readUserAgent } from './user-agent.ts';
import { unknown, writeVersion } from './version-form.ts';

/**
 * What a sender reports about its system. `platform` and `platformVersion` are the values of
 * `Sec-CH-UA-Platform` and `Sec-CH-UA-Platform-Version`, with or without their quotes.
 */
export interface OperatingSystemEvidence {
  readonly userAgent?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
}

export type OperatingSystemReader = (evidence: OperatingSystemEvidence) => OperatingSystem;

const hintLimitChars = 64;
const rememberedLimitEntries = 4096;

/**
 * Reads the operating system of a beacon; never throws, whatever a stranger sends. An iPad that
 * asks for desktop pages has the User-Agent of a Mac, and counts as one unless `platform` says
 * `iPadOS`. The most recent answers are remembered.
 */
export function createOperatingSystemReader(
  recall = createUserAgentRecall(),
): OperatingSystemReader {
  const hinted = createLruCache<string, OperatingSystem>(rememberedLimitEntries);
  return rememberLast((evidence) => {
    const userAgent = asText(evidence.userAgent, userAgentLimitChars);
    const platform = asText(evidence.platform, hintLimitChars);
    const platformVersion = asText(evidence.platformVersion, hintLimitChars);
    if (platform === '' && platformVersion === '') {
      const memory = recall(asText(evidence.userAgent));
      memory.operatingSystem ??= Object.freeze(weigh(userAgent, '', ''));
      return memory.operatingSystem;
    }
    // With lengths: whoever may make up texts must not be able to make up the key of others.
    const lengths = `${platform.length} ${platformVersion.length} `;
    const key = lengths + platform + platformVersion + userAgent;
    const known = hinted.get(key);
    if (known !== undefined) return known;
    const answer = Object.freeze(weigh(userAgent, platform, platformVersion));
    // TRICKY: a slice keeps the whole text alive, so that 4096 keys could hold a body each.
    if (userAgent === (evidence.userAgent ?? '')) hinted.set(key, answer);
    return answer;
  });
}

/** The hints win; the User-Agent adds to them where it agrees. */
function weigh(userAgent: string, platform: string, platformVersion: string): OperatingSystem {
  const read = readUserAgent(userAgent);
  const hinted = readPlatform(platform);
  if (hinted === undefined && !isBroadest(read.name)) return read;
  const kind = hinted === undefined || isKindOf(read.name, hinted);
  const name = kind ? read.name : hinted;
  const version = readPlatformVersion(name, hinted ?? name, platformVersion);
  if (version !== unknown) return { name, version, rank: 3 };
  if (name === read.name) return hinted === undefined ? read : { ...read, rank: 2 };
  // The desktop page of an iPad: the system is a Mac's, but Safari's version is the iPad's.
  return {
    name,
    rank: 2,
    version: name === 'iPadOS' ? writeVersion(name, safariVersion(userAgent)) : unknown,
  };
}

function asText(value: unknown, limitChars?: number): string {
  return typeof value === 'string' ? value.slice(0, limitChars) : '';
}
