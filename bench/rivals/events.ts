/** What both rivals keep: an events table with unique (view, stretch), and an hourly summary. */
import { UAParser } from 'ua-parser-js';

export interface ReceivedBeacon {
  readonly view: string;
  readonly stretch: number;
  readonly at: string;
  readonly playMs: number;
  readonly videoKey: string;
}

export interface EventStore {
  /** Resolves when the beacons are durable. */
  write(beacons: readonly ReceivedBeacon[], userAgent: string): Promise<void>;
}

/** The rival's account, package and video; which video key is which it knows by heart. */
export const rivalIds = { accountId: 1, packageId: 1, videoId: 1 } as const;

const systems = new Map<string, { os: string; osVersion: string }>();

export function systemOf(userAgent: string): { os: string; osVersion: string } {
  let system = systems.get(userAgent);
  if (!system) {
    const { name = 'Unknown', version = 'Unknown' } = new UAParser(userAgent).getOS();
    system = { os: name, osVersion: version };
    systems.set(userAgent, system);
  }
  return system;
}
