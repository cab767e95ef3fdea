/**
 * A year of views that report everything: each of one to four stretches with positions, of
 * anonymous viewers of a day with about two views each, from many pages, countries and devices, and
 * of waits: a start, and on average half a stall or seek. A stretch that reaches the end of its slot
 * ends there. One view in 32 never starts.
 */
import { numberOfWait, waitCauses, waitOutcomes } from '../../src/vocabulary/waits.ts';
import type { BareEngine } from './bare-engine.ts';
import { filmMs } from './bench-service.ts';
import {
  beaconsUntil,
  type History,
  historyDays,
  packagesPerAccount,
  startOfDay,
} from './history.ts';

export const mostStretches = 4;
/** On average. */
export const stretchesPerView = (1 + mostStretches) / 2;
const viewsPerViewer = 2;
const pages = 600;

/** A history's `beacons` are its views. */
export async function insertViewings(
  engine: BareEngine,
  history: History,
  day: number,
  days: number,
): Promise<void> {
  const { account, videos, beacons: views } = history;
  const first = beaconsUntil(history, day);
  const count = beaconsUntil(history, day + days) - first;
  const seconds = days * 86_400;
  await engine.run(`
    INSERT INTO stretch (accountId, slot, packageId, videoId, toldSystem, view, stretch,
      suspect, plays, playMs, startMs, laterMs, position, mediaMs, toldViewer, toldCountry,
      toldDevice, toldBrowser, toldPage, toldReferrer, toldPlayer, toldLabel1, toldLabel2,
      toldStreamType, toldConnection, toldQuality, toldMediaHost, mediaBits, frames, droppedFrames,
      waitMs, cause, outcome, toldError)
    WITH
      intDiv(fromMs, 900000) * 900000 AS slotMs,
      cityHash64(view, stretch) AS own,
      if(isWait, 0, least(15000 + own % 170000, slotMs + 900000 - fromMs)) AS playedMs,
      splitByChar(' ', 'KR US JP DE FR GB BR IN VN TH ID ES') AS countries,
      splitByChar(' ', 'Chrome Safari Edge Firefox Samsung') AS browsers,
      splitByChar(' ', 'Windows Android iOS macOS Linux') AS systems,
      splitByChar(' ', 'desktop mobile tablet tv') AS devices
    SELECT ${account.accountId}, toDateTime(intDiv(slotMs, 1000), 'UTC'),
      ${account.packageId} + video % ${packagesPerAccount}, ${account.videoId} + video,
      concat('1', systems[1 + other % 5], '\\n12', toString(10 + other % 6), '\\n',
        toString(10 + other % 6)), viewId, stretch, '', stretch = 0, playedMs,
      fromMs, 0, if(isWait, 0, 1 + (stretch * 180000 + other % 60000) % ${filmMs}), playedMs,
      bitOr(bitShiftLeft(toUInt64(1), 62), bitShiftRight(cityHash64(
        intDiv(beganMs, 86400000), other % ${Math.ceil(views / historyDays / viewsPerViewer)}), 2)),
      concat('1', countries[1 + other % 12]), concat('1', devices[1 + other % 4]),
      concat('1', browsers[1 + other % 5], '\\n13', toString(100 + other % 11), '\\n',
        toString(100 + other % 11)),
      concat('1site', toString(other % 5), '.example.com\\nsite', toString(other % 5),
        '.example.com/lessons/', toString(other % ${pages})),
      concat('1from', toString(other % 40), '.example'),
      concat('1hls.js/1.7.', toString(other % 9)),
      if(other % 2 = 0, '1free', '1paid'), concat('1course-', toString(other % 50)),
      if(other % 20 = 0, '2live', '1vod'), if(other % 9 = 0, '23g', '14g'), '1reported',
      concat('1cdn', toString(other % 4), '.example.com'), playedMs * 2500,
      intDiv(playedMs, 40), intDiv(playedMs, 4000),
      if(isWait, toUInt32(150 * pow(20, (own % 1000) / 1000)), 0),
      multiIf(NOT isWait, 0, wait = 0, ${waitCauses.start}, own % 3 = 0, ${waitCauses.seek},
        ${waitCauses.stall}),
      multiIf(NOT isWait, 0, starts, ${waitOutcomes.played}, other % 64 = 0, ${waitOutcomes.left},
        ${waitOutcomes.failed}),
      if(isWait AND NOT starts AND other % 64 != 0, '1manifestLoadError', '')
    FROM (
      SELECT number + ${first} AS view,
        reinterpretAsUUID(sipHash128(view, ${account.accountId})) AS viewId,
        cityHash64(view, 1) AS other,
        toUInt32(${videos} * pow(cityHash64(view, 3) / 18446744073709551616, 2)) AS video,
        other % 32 != 0 AS starts,
        arrayJoin(if(starts, arrayConcat(range(1 + cityHash64(view, 2) % ${mostStretches}), waits),
          [${numberOfWait(0)}])) AS stretch,
        stretch >= ${numberOfWait(0)} AS isWait, stretch - ${numberOfWait(0)} AS wait,
        range(${numberOfWait(0)}, ${numberOfWait(1)} + (cityHash64(view, 4) % 4 = 0) * 2) AS waits,
        ${startOfDay(day) * 1_000} + intDiv(number * ${seconds * 1_000}, ${count}) AS beganMs,
        beganMs + toUInt64(if(isWait, wait * 9000, stretch * 185000)) AS fromMs
      FROM numbers(${count})
    )`);
}
