/**
 * What was read from the most recent User-Agents: players send the same few, and each step that
 * reads one notes here what it found. Finding a text by its value takes longer than most steps do.
 */
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Attributes } from '../../store/facts.ts';
import type { DeviceKind } from './browser/device-kind.ts';
import type { OperatingSystem, OperatingSystemName } from './system/operating-system-names.ts';

/** What a User-Agent says besides the system; each is empty if it says nothing of it. */
export interface Client {
  readonly device: DeviceKind | '';
  readonly browser: string;
  readonly browserVersion: string;
}

export interface UserAgentMemory {
  isBot?: boolean;
  /** Where nothing else was reported. */
  operatingSystem?: OperatingSystem;
  /** By system: a hint or a beacon may name another than the User-Agent does. */
  readonly clients: Map<OperatingSystemName, Client>;
  /** The last that its beacons told. */
  attributes?: Attributes;
}

export type RecallUserAgent = (userAgent: string) => UserAgentMemory;

/** Beyond this, real User-Agents name apps only. */
export const userAgentLimitChars = 512;
const rememberedLimitEntries = 4096;

export function createUserAgentRecall(): RecallUserAgent {
  const remembered = createLruCache<string, UserAgentMemory>(rememberedLimitEntries);
  let last: { readonly userAgent: string; readonly memory: UserAgentMemory } | undefined;
  return (userAgent) => {
    if (last?.userAgent === userAgent) return last.memory;
    const known = remembered.get(userAgent);
    const memory = known ?? { clients: new Map() };
    last = { userAgent, memory };
    // A longer one is read for each request: 4096 keys could hold a body each.
    if (!known && userAgent.length <= userAgentLimitChars) remembered.set(userAgent, memory);
    return memory;
  };
}
