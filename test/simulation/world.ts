/** Accounts with packages and videos on a real service, and the oracle that hears what it hears. */

import { checkAnswer } from '../support/check-answer.ts';
import type { TestAccount } from '../support/service.ts';
import { Oracle, type Report, type WaitReport } from './oracle.ts';
import type { StretchBeacon } from './reported.ts';
import { beaconsOf, inBatches, type PlannedStretch, systems } from './viewers.ts';
import type { PlannedWait } from './waits.ts';

const beaconsPerBatch = 200;

/** A service that runs, wherever: in this process or in one of its own. */
export interface Site {
  readonly url: string;
  addAccount(timeZone: string): Promise<TestAccount>;
}

export interface Publication {
  readonly account: TestAccount;
  readonly packageId: number;
  readonly accessKey: string;
  readonly videoKey: string;
}

export interface World {
  readonly url: string;
  readonly oracle: Oracle;
  readonly accounts: readonly TestAccount[];
  readonly publications: readonly Publication[];
  /** The reports of a stretch: its heartbeats, as a server with a key sends them. */
  reportsOf(planned: PlannedStretch): Report[];
  waitsOf(planned: PlannedWait): WaitReport[];
  /** Delivers all beacons of the stretches to the service and records them in the oracle. */
  play(stretches: readonly PlannedStretch[]): Promise<void>;
}

/** In each account two packages; of three videos one is in both packages. */
export const publicationsPerAccount = 4;

export async function createWorld(
  site: Site,
  zones: readonly string[],
  { correctsClocks = true } = {},
): Promise<World> {
  const { url } = site;
  const oracle = new Oracle();
  const accounts = await Promise.all(zones.map(site.addAccount));
  const publications = (await Promise.all(accounts.map(publish))).flat();

  const aboutOf = (planned: Pick<PlannedStretch, 'publication' | 'system'>) => {
    const publication = publications[planned.publication];
    const system = systems[planned.system];
    if (!publication || !system) throw new Error('no such publication or system');
    const { account, packageId, accessKey } = publication;
    const { name: os, version: osVersion, ...evidence } = system;
    const { accountId } = account;
    return { about: { accountId, packageId, accessKey, os, osVersion }, evidence };
  };

  const reportsOf = (planned: PlannedStretch): Report[] => {
    const { about, evidence } = aboutOf(planned);
    const { packageId, accessKey } = about;
    const { reported } = planned;
    const isOfServer = (reported?.sender ?? 'server') === 'server';
    const whole = beaconsOf(planned, { packageId, accessKey, ...evidence });
    const beacons = isOfServer ? withSilences(planned, whole, correctsClocks) : whole;
    return beacons.map((beacon) => ({ ...about, reported, beacon }));
  };

  const waitsOf = ({ view, wait, atMs, told, ofView, sender, ...of }: PlannedWait) => {
    const { about, evidence } = aboutOf(of);
    const { packageId, accessKey } = about;
    const at = new Date(atMs).toISOString();
    return told.map((one): WaitReport => {
      const beacon = { view, wait, at, ...one, ...ofView, packageId, accessKey, ...evidence };
      return { ...about, sender, beacon };
    });
  };

  return {
    url,
    oracle,
    accounts,
    publications,
    reportsOf,
    waitsOf,
    async play(stretches) {
      const reports = stretches.flatMap(reportsOf);
      oracle.record(...reports);
      for (const { accountId, key } of accounts) {
        const own = reports.filter((one) => one.accountId === accountId);
        for (const batch of inBatches(own, beaconsPerBatch)) {
          const beacons = batch.map(({ beacon }) => beacon);
          await sendAll(url, key, beacons);
        }
      }
    },
  };
}

async function publish(account: TestAccount): Promise<Publication[]> {
  const packages = [await account.addPackage(), await account.addPackage()];
  const videos = [await account.addVideo(), await account.addVideo(), await account.addVideo()];
  const publications: Publication[] = [];
  for (const [inPackage, video] of [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 2],
  ] as const) {
    const packageId = packages[inPackage] ?? 0;
    const accessKey = videos[video] ?? '';
    const videoKey = await account.publish(packageId, accessKey);
    publications.push({ account, packageId, accessKey, videoKey });
  }
  return publications;
}

/** What each beacon of a stretch must tell, and a server always knows. */
const always = [
  ...(['view', 'stretch', 'at', 'playMs', 'packageId', 'accessKey'] as const),
  ...(['position', 'mediaMs'] as const),
] as const;
const mostShiftMs = 7_000;

/**
 * The beacons of a stretch as servers relay them whose players correct their clocks, and tell all
 * else in the first or the last beacon alone.
 */
function withSilences(
  { atMs, stretch }: PlannedStretch,
  beacons: readonly StretchBeacon[],
  correctsClocks: boolean,
): StretchBeacon[] {
  const kind = (Math.abs(atMs) + stretch) % 5;
  return beacons.map((beacon, index) => {
    const at = new Date(
      atMs + (correctsClocks && kind > 2 ? (index % 3) - 1 : 0) * mostShiftMs,
    ).toISOString();
    const tells = kind === 0 || (kind % 2 === 0 ? index === 0 : index === beacons.length - 1);
    if (tells) return { ...beacon, at };
    const told = always.filter((name) => name in beacon).map((name) => [name, beacon[name]]);
    return { ...Object.fromEntries(told), at } as StretchBeacon;
  });
}

/** In one request; fails where not all of them are accepted. */
export async function sendAll(url: string, key: string, beacons: readonly StretchBeacon[]) {
  const response = await fetch(`${url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-api-key': key },
    body: JSON.stringify({ beacons }),
  });
  const text = await (await checkAnswer('POST', response)).text();
  if (text !== JSON.stringify({ accepted: beacons.length, rejected: [] })) {
    throw new Error(`Not all accepted: ${text}`);
  }
}
