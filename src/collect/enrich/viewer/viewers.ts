/**
 * Tells who stands behind a stretch of playing: a keyed hash of the name by which the page or a
 * token calls the viewer; else, for one day, of the address's network and the User-Agent.
 * The same report gives the same viewer however often and whenever it comes, or none at all.
 * See docs/decisions/viewers.md.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { Publication, Salts } from '../../../catalog/catalog.ts';
import { assert } from '../../../lib/assert.ts';
import { cutAddress } from '../../../lib/network/address-network.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { dayMs } from '../../../lib/time/utc-day.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import {
  refusedViewer,
  toldDaily,
  toldNamed,
  type ViewerMode,
} from '../../../vocabulary/viewers.ts';
import type { Device, Draft, Step } from '../../draft.ts';
import { createKnownDays, type KnownDays, type Moment } from './known-days.ts';

/** Some 15 MB, mostly User-Agents. */
const rememberedLimitViewers = 50_000;
const keyBytes = 32;

/** As it is stored: see FactDetails. */
export type ViewerNumber = string;

export interface Viewers {
  /**
   * To be awaited before the viewers of these stretches are asked for; undefined if there is
   * nothing to wait for: nearly always. Rejects with UNAVAILABLE.
   */
  prepare(stretches: readonly Stretch[]): Promise<void> | undefined;
  /** What is told of the viewer; undefined: nothing, so that the view is a viewer of its own. */
  viewerOf(draft: Draft): ViewerNumber | undefined;
  /** Forgets what belongs to days whose salts are destroyed. */
  purge(): Promise<0>;
}

export type Stretch = Pick<Draft, 'atMs'> & {
  readonly publication: Pick<Publication, 'accountId' | 'viewers'>;
};

/** Who was found by a device. */
interface DailyViewer {
  readonly device: Device;
  readonly accountId: number;
  /** When the day began. */
  readonly fromMs: number;
  readonly viewer: ViewerNumber;
}

interface ViewersOptions {
  readonly salts: Pick<Salts, 'dayOf'>;
  /** The service's. */
  readonly secret: string;
  readonly clock: Clock;
}

const takesNames: Readonly<Record<ViewerMode, boolean>> = {
  anonymous: true,
  daily: false,
  named: true,
  none: false,
};
const takesDaily: Readonly<Record<ViewerMode, boolean>> = {
  anonymous: true,
  daily: true,
  named: false,
  none: false,
};

/** The number of a viewer who was named; see FactDetails. */
export function namedViewer(secret: string, accountId: number, name: string): ViewerNumber {
  return toldNamed(hashText(keyOfAccount(deriveRootKey(secret), accountId), name), false);
}

function deriveRootKey(secret: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', 'viewers', keyBytes));
}

function keyOfAccount(rootKey: Uint8Array, accountId: number): Uint8Array {
  return createHmac('sha256', rootKey).update(String(accountId)).digest();
}

function hashText(key: Uint8Array, text: string): bigint {
  return createHmac('sha256', key).update(text).digest().readBigUInt64BE();
}

export function createViewers({ salts, secret, clock }: ViewersOptions): Viewers {
  const days = createKnownDays(salts, clock);
  const known = createLruCache<string, ViewerNumber>(rememberedLimitViewers);
  const rootKey = deriveRootKey(secret);

  const recall = (key: string, make: () => ViewerNumber): ViewerNumber => {
    const viewer = known.get(key) ?? make();
    known.set(key, viewer);
    return viewer;
  };
  const named = (accountId: number, name: string, isSigned: boolean): ViewerNumber =>
    recall(`${isSigned ? 'signed ' : ''}${accountId} ${name}`, () =>
      toldNamed(hashText(keyOfAccount(rootKey, accountId), name), isSigned),
    );
  const daily = createDailyViewers(days, recall);

  return {
    prepare(stretches) {
      let unknown: Moment[] | undefined;
      for (const { atMs, publication } of stretches) {
        if (!takesDaily[publication.viewers]) continue;
        const moment = { accountId: publication.accountId, atMs };
        if (days.of(moment)) continue;
        unknown ??= [];
        unknown.push(moment);
      }
      return unknown && learnAll(unknown);
    },

    viewerOf({ atMs, device, publication, viewer, reportedViewer }) {
      assert(publication, 'the video is known before its viewer is asked for');
      const { accountId, viewers } = publication;
      if (device.wantsNoTracking) return refusedViewer;
      const name = viewer ?? reportedViewer;
      if (name !== undefined && takesNames[viewers]) {
        return named(accountId, name, viewer !== undefined);
      }
      if (!takesDaily[viewers] || !device.address) return undefined;
      return daily.of({ accountId, atMs }, device);
    },

    async purge() {
      if (days.forgetOld()) {
        known.clear();
        daily.forget();
      }
      return 0;
    },
  };

  async function learnAll(moments: readonly Moment[]): Promise<void> {
    for (const moment of moments) if (!days.of(moment)) await days.learn(moment);
  }
}

/** What tells a viewer of a day from others. */
function joinEvidence({ address = '', userAgent = '' }: Device): string {
  return `${cutAddress(address)} ${userAgent}`;
}

/** Viewers of one day; `recall` gives the number that stands under the key, or makes it. */
function createDailyViewers(
  days: KnownDays,
  recall: (key: string, make: () => ViewerNumber) => ViewerNumber,
) {
  // The beacons of a request mostly have one viewer, and its key is a long text.
  let last: DailyViewer | undefined;
  return {
    of(moment: Moment, device: Device): ViewerNumber | undefined {
      const { accountId } = moment;
      const { salt, fromMs } = days.of(moment) ?? {};
      if (!salt || fromMs === undefined) return undefined;
      const isLast = last?.device === device && last.accountId === accountId;
      if (last && isLast && last.fromMs === fromMs) return last.viewer;
      const { address = '', userAgent = '' } = device;
      // Not of the form of a named viewer's: there is no account below 0.
      const key = `${-accountId} ${fromMs} ${address} ${userAgent}`;
      const viewer = recall(key, () =>
        toldDaily(hashText(salt, joinEvidence(device)), Math.floor(fromMs / dayMs)),
      );
      last = { device, accountId, fromMs, viewer };
      return viewer;
    },
    forget() {
      last = undefined;
    },
  };
}

/** `prepare` was awaited before. */
export function setViewer({ viewerOf }: Pick<Viewers, 'viewerOf'>): Step {
  return {
    name: 'set viewer',
    run(draft) {
      draft.viewerNumber = viewerOf(draft);
      return undefined;
    },
  };
}
