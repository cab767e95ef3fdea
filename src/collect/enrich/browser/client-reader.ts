import type { OperatingSystemName } from '../system/operating-system-names.ts';
import { type Client, createUserAgentRecall, userAgentLimitChars } from '../user-agent-memory.ts';
import { readBrowser } from './browser.ts';
import { readDeviceKind } from './device-kind.ts';

/** Reads the browser and the kind of device; never throws, whatever a stranger sends. */
export type ClientReader = (userAgent: string | undefined, system: OperatingSystemName) => Client;

export function createClientReader(recall = createUserAgentRecall()): ClientReader {
  return (userAgent = '', system) => {
    const { clients } = recall(userAgent);
    const known = clients.get(system);
    if (known !== undefined) return known;
    const client = read(userAgent.slice(0, userAgentLimitChars), system);
    clients.set(system, client);
    return client;
  };
}

function read(userAgent: string, system: OperatingSystemName): Client {
  const { name: browser, version: browserVersion } = readBrowser(userAgent, system);
  return Object.freeze({ device: readDeviceKind(userAgent, system), browser, browserVersion });
}
