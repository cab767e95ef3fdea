/** A question becomes a plan: which sums answer it at the least cost, between which instants. */
import type { Catalog } from '../catalog/catalog.ts';
import { type FactReader, slotMs } from '../facts/facts.ts';
import { type ClockOffset, clockOffsets, nextDay, startOfDay } from '../lib/time-zone.ts';
import { type DimensionName, type Statistic, statistics } from '../wire/statistics.ts';
import { type Cover, coverRange } from './cover-range.ts';
import type { Question } from './question.ts';

/** The groupings that the roll-up keeps sums of (facts/migrations.ts), least rows first. */
export type Grouping = 'account' | 'package' | 'video' | 'account-os' | 'package-os' | 'video-os';

export interface Plan {
  readonly accountId: number;
  readonly grouping: Grouping;
  readonly packageId: number | undefined;
  readonly videoId: number | undefined;
  readonly os: string | undefined;
  /** The range, in whole slots and, where no hour is asked for, whole days. */
  readonly cover: Cover;
  /** The offsets of the zone's clock over the range, so that the engine needs no rules of zones. */
  readonly clock: readonly ClockOffset[];
  /** By what the rows are told apart; their other labels are what was asked for. */
  readonly label: DimensionName;
}

interface Sources {
  readonly publications: Pick<Catalog['publications'], 'findVideoId'>;
  readonly facts: Pick<FactReader, 'unsettledDays'>;
}

/** Undefined where nothing can answer: the account has no such video, the range no time. */
export async function plan(question: Question, sources: Sources): Promise<Plan | undefined> {
  const { accountId, accessKey, packageId, timeZone } = question;
  let videoId: number | undefined;
  if (accessKey !== undefined) {
    videoId = await sources.publications.findVideoId(accountId, accessKey);
    if (videoId === undefined) return undefined;
  }
  if (packageId !== undefined && packageId > largestId) return undefined;
  const fromMs = wholeSlot(startOfDay(question.firstDay, timeZone));
  const untilMs = wholeSlot(startOfDay(nextDay(question.lastDay), timeZone));
  if (fromMs >= untilMs) return undefined;
  const range = { fromMs, untilMs };
  const { labels, ownLabel: label }: Statistic = statistics[question.statistic];
  const filter = videoId !== undefined ? 'video' : packageId !== undefined ? 'package' : 'account';
  const bySystem = labels.includes('os');
  return {
    accountId,
    grouping: bySystem ? `${filter}-os` : filter,
    packageId,
    videoId,
    os: question.os,
    cover: bySystem
      ? coverRange(range, await sources.facts.unsettledDays(accountId))
      : { days: [], slots: [range] },
    clock: bySystem ? [] : clockOffsets(timeZone, fromMs, untilMs),
    label,
  };
}

const largestId = 2 ** 32 - 1;
/** The facts' time goes from 1970 to 2106. */
const latestMs = (2 ** 32 - 1) * 1_000;

/**
 * Before 1972 a few zones were off by seconds; their days begin with the slot that holds
 * their midnight.
 */
function wholeSlot(instantMs: number): number {
  return Math.floor(Math.min(Math.max(instantMs, 0), latestMs) / slotMs) * slotMs;
}
