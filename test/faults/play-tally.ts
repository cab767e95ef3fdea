/** Which plays an answer must show, and which it may, by what was sent and acknowledged when. */
import { localTime, type Report } from '../simulation/oracle.ts';
import type { TestAccount } from '../support/service.ts';

/** Of one day. */
export interface PlayBounds {
  readonly least: number;
  readonly most: number;
}

export interface PlayTally {
  /** To be called before any of it is sent. */
  sent(reports: readonly Report[]): void;
  acknowledged(reports: readonly Report[]): void;
  /** By day of the account, of an answer that has all that was acknowledged before an instant. */
  bounds(account: TestAccount, throughMs: number): ReadonlyMap<string, PlayBounds>;
}

interface Play {
  readonly accountId: number;
  readonly startMs: number;
  acknowledgedAtMs: number;
}

export function createPlayTally(): PlayTally {
  const plays = new Map<string, Play>();
  return {
    sent(reports) {
      for (const { accountId, packageId, accessKey, beacon } of reports) {
        if (beacon.stretch !== 0) continue;
        const key = JSON.stringify([packageId, accessKey, beacon.view]);
        const startMs = Date.parse(beacon.at);
        plays.set(key, { accountId, startMs, acknowledgedAtMs: Number.POSITIVE_INFINITY });
      }
    },
    acknowledged(reports) {
      for (const { packageId, accessKey, beacon } of reports) {
        if (beacon.stretch !== 0) continue;
        const play = plays.get(JSON.stringify([packageId, accessKey, beacon.view]));
        if (play) play.acknowledgedAtMs = Math.min(play.acknowledgedAtMs, Date.now());
      }
    },
    bounds({ accountId, timeZone }, throughMs) {
      const days = new Map<string, PlayBounds>();
      for (const play of plays.values()) {
        if (play.accountId !== accountId) continue;
        const { date } = localTime(play.startMs, timeZone);
        const { least, most } = days.get(date) ?? { least: 0, most: 0 };
        const isCertain = play.acknowledgedAtMs < throughMs;
        days.set(date, { least: least + (isCertain ? 1 : 0), most: most + 1 });
      }
      return days;
    },
  };
}
