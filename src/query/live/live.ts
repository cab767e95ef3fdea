/** Who watches now: how many viewers each video has, and the peaks of the last minutes. */

import { clockOffsets } from '../../lib/time/time-zone.ts';
import { boundArray, slotMs } from '../../store/facts.ts';
import {
  type Live,
  type LiveQuality,
  type LiveVideo,
  liveForSeconds,
  liveMinutes,
  liveQualityMeasures,
  mostLiveVideos,
} from '../../wire/questions/curves.ts';
import { concurrencyRows } from '../concurrency/concurrency.ts';
import {
  type IntervalFacts,
  selectConcurrency,
  selectPlaying,
} from '../concurrency/concurrency-sql.ts';
import { minuteMs } from '../concurrency/local-intervals.ts';
import type { LiveQuestion } from '../parse/curve-question.ts';
import { countsFor, measured } from '../plan/counts.ts';
import type { FactsPlan } from '../plan/query-plan.ts';
import type { CurveSources, QuestionFacts } from '../plan/question-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import { findClock, type LocalSpan } from '../ranges/local-days.ts';
import type { Span } from '../ranges/range-cover.ts';
import { countRows, nothingCounted } from '../run/row-counts.ts';

/** Beacons may be ahead of the service's clock by this much (collect/steps/time-step.ts). */
const mostAheadMs = 5 * minuteMs;

interface PlayingRow {
  readonly videoId: number;
  readonly playing: number;
  readonly allPlaying: number;
}

export async function readLive(
  { accountId, timeZone, packageIds }: LiveQuestion,
  { facts, catalog }: CurveSources,
  nowMs: number,
): Promise<Live> {
  const sinceMs = nowMs - liveForSeconds * 1_000;
  const currentMs = Math.floor(nowMs / minuteMs) * minuteMs;
  const minutes = {
    fromMs: currentMs - (liveMinutes - 1) * minuteMs,
    untilMs: currentMs + minuteMs,
  };
  // What ended just at the border of slots is in the slot before.
  const recent = coverSlots({ fromMs: sinceMs - 1, untilMs: nowMs + mostAheadMs });
  const shown = coverSlots(minutes);
  const range = { accountId, fromMs: shown.fromMs, untilMs: recent.untilMs };
  const spans = findSpans(shown, timeZone);
  const clock = findClock(spans);
  const pin = packageIds && boundArray('pinned', 'UInt32', packageIds);
  const about: Omit<QuestionFacts, 'spans'> = {
    ...{ accountId, timeZone, clock, localSpans: spans },
    ...(pin && { conditions: [`packageId IN ${pin.sql}`] }),
    parameters: { ...clockParameters(clock), ...pin?.parameters },
    ...(await facts.countedWithin(range)),
    // Peaks are of all that plays, however much time its view claims.
    overclaimed: [],
  };
  const [playing, peaks, quality] = await Promise.all([
    facts.read<PlayingRow>(selectPlaying({ ...about, spans: [recent] }, sinceMs, mostLiveVideos)),
    facts.read<IntervalFacts>(selectConcurrency({ ...about, spans: [shown] }, 'minute')),
    readQuality({ ...about, spans: [shown] }, facts, nowMs),
  ]);
  const byKey = new Map(peaks.map((row) => [row.key, row]));
  const rows = await concurrencyRows('minute', spans, byKey);
  const before = (minutes.fromMs - shown.fromMs) / minuteMs;
  return {
    asOf: new Date(nowMs).toISOString(),
    playing: playing[0]?.allPlaying ?? 0,
    videos: await namedVideos(playing, accountId, catalog.videos),
    lastMinutes: rows.slice(before, before + liveMinutes).map(({ time, peak }) => ({ time, peak })),
    quality: { since: new Date(shown.fromMs).toISOString(), ...quality },
  };
}

/** Of whole slots, as in any other answer. */
async function readQuality(
  about: QuestionFacts,
  facts: CurveSources['facts'],
  nowMs: number,
): Promise<Omit<LiveQuality, 'since'>> {
  const nothing = { sql: [], parameters: {} };
  const plan: FactsPlan = {
    ...{ ...about, source: 'facts', askedAtMs: nowMs, cut: [] },
    keys: { ...nothing, conditions: [] },
    conditions: { sql: about.conditions ?? [], parameters: about.parameters },
    counts: [...new Set(liveQualityMeasures.flatMap(countsFor))],
    ...{ lengths: [], distinguished: 0, passes: 1, regular: undefined, audienceDays: undefined },
  };
  const { total, qualityBasis } = (await countRows(plan, facts)) ?? nothingCounted;
  const values = liveQualityMeasures.map((name) => [name, measured(name, total)]);
  return { ...Object.fromEntries(values), qualityBasis };
}

function coverSlots({ fromMs, untilMs }: Span): Span {
  return {
    fromMs: Math.floor(fromMs / slotMs) * slotMs,
    untilMs: (Math.floor(untilMs / slotMs) + 1) * slotMs,
  };
}

/** The slots by the zone's clock at their starts. */
function findSpans({ fromMs, untilMs }: Span, timeZone: string): LocalSpan[] {
  const offsets = clockOffsets(timeZone, fromMs, untilMs);
  const begins = offsets.map(({ sinceMs }) => Math.ceil(sinceMs / slotMs) * slotMs);
  return offsets.flatMap(({ offsetMs }, index) => {
    const span = {
      fromMs: begins[index] ?? fromMs,
      untilMs: begins[index + 1] ?? untilMs,
      offsetMs,
    };
    return span.fromMs < span.untilMs ? [span] : [];
  });
}

async function namedVideos(
  playing: readonly PlayingRow[],
  accountId: number,
  videos: CurveSources['catalog']['videos'],
): Promise<LiveVideo[]> {
  const ids = playing.map(({ videoId }) => videoId);
  const known = new Map((await videos.known(accountId, ids)).map((one) => [one.videoId, one]));
  return playing.flatMap(({ videoId, playing: count }) => {
    const video = known.get(videoId);
    return video ? [{ video: video.accessKey, videoTitle: video.title, playing: count }] : [];
  });
}
