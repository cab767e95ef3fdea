/** Accounts with packages and videos on a real service, and the oracle that hears what it hears. */
import { expect } from 'vitest';
import type { Beacon } from '../../src/wire/beacon.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { Oracle, type Told } from './oracle.ts';
import { beaconsOf, inBatches, type PlannedStretch, systems } from './viewers.ts';

const beaconsPerBatch = 200;

interface Publication {
  readonly account: TestAccount;
  readonly packageId: number;
  readonly accessKey: string;
}

export interface World {
  readonly service: TestService;
  readonly oracle: Oracle;
  readonly accounts: readonly TestAccount[];
  readonly publications: readonly Publication[];
  /** Delivers all beacons of the stretches to the service and tells the oracle. */
  play(stretches: readonly PlannedStretch[]): Promise<void>;
}

/** In each account two packages; of three videos one is in both packages. */
export const publicationsPerAccount = 4;

export async function createWorld(service: TestService, zones: readonly string[]): Promise<World> {
  const oracle = new Oracle();
  const accounts: TestAccount[] = [];
  const publications: Publication[] = [];
  for (const zone of zones) {
    const account = await service.addAccount(zone);
    accounts.push(account);
    const packages = [await account.addPackage(), await account.addPackage()];
    const videos = [await account.addVideo(), await account.addVideo(), await account.addVideo()];
    for (const [inPackage, video] of [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 2],
    ] as const) {
      const packageId = packages[inPackage] ?? 0;
      const accessKey = videos[video] ?? '';
      await account.publish(packageId, accessKey);
      publications.push({ account, packageId, accessKey });
    }
  }

  const toldOf = (planned: PlannedStretch): { account: TestAccount; told: Told[] } => {
    const publication = publications[planned.publication];
    const system = systems[planned.system];
    if (!publication || !system) throw new Error('no such publication or system');
    const { account, packageId, accessKey } = publication;
    const { name: os, version: osVersion, ...evidence } = system;
    const { accountId } = account;
    const beacons = beaconsOf(planned, { packageId, accessKey, ...evidence });
    return {
      account,
      told: beacons.map((beacon) => ({
        accountId,
        packageId,
        accessKey,
        os,
        osVersion,
        beacon,
      })),
    };
  };

  return {
    service,
    oracle,
    accounts,
    publications,
    async play(stretches) {
      const byAccount = new Map<TestAccount, Beacon[]>();
      for (const planned of stretches) {
        const { account, told } = toldOf(planned);
        oracle.tell(...told);
        const beacons = byAccount.get(account) ?? [];
        byAccount.set(account, [...beacons, ...told.map(({ beacon }) => beacon)]);
      }
      for (const [account, beacons] of byAccount) {
        for (const batch of inBatches(beacons, beaconsPerBatch)) {
          const response = await service.send(batch, { 'x-api-key': account.key });
          expect(await response.json()).toEqual({ accepted: batch.length, rejected: [] });
        }
      }
    },
  };
}
