import { LRUCache } from 'lru-cache';
import type { OperatingSystemName } from '../operating-system/operating-system-names.ts';
import { userAgentLimitChars } from '../operating-system/read-operating-system.ts';
import { readBrowser } from './read-browser.ts';
import { type DeviceKind, readDeviceKind } from './read-device-kind.ts';

/** What a User-Agent says besides the system; each is empty if it says nothing of it. */
export interface Client {
  readonly device: DeviceKind | '';
  readonly browser: string;
  readonly browserVersion: string;
}

/** Reads the browser and the kind of device; never throws, whatever a stranger sends. */
export type ClientReader = (userAgent: string | undefined, system: OperatingSystemName) => Client;

const rememberedLimitEntries = 4096;

/** The most recent answers are remembered: players send the same few User-Agents. */
export function createClientReader(): ClientReader {
  // By system too, as a hint or a beacon may name another than the User-Agent does.
  const remembered = new LRUCache<string, Map<OperatingSystemName, Client>>({
    max: rememberedLimitEntries,
  });
  return (userAgent = '', system) => {
    const bySystem = remembered.get(userAgent) ?? new Map<OperatingSystemName, Client>();
    const known = bySystem.get(system);
    if (known !== undefined) return known;
    const client = read(userAgent.slice(0, userAgentLimitChars), system);
    // A longer one is read each time: 4096 keys could hold a body each.
    if (userAgent.length <= userAgentLimitChars) {
      remembered.set(userAgent, bySystem.set(system, client));
    }
    return client;
  };
}

function read(userAgent: string, system: OperatingSystemName): Client {
  const { name: browser, version: browserVersion } = readBrowser(userAgent, system);
  return Object.freeze({ device: readDeviceKind(userAgent, system), browser, browserVersion });
}
