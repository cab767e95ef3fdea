/** How far people watch one video: the parts of its length, and how many saw each. */
import type { FactQuery } from '../../facts/facts.ts';
import type { Retention, RetentionPart } from '../../wire/curves.ts';
import { partFromMs } from '../counted-facts.ts';
import { halfUp } from '../half-up.ts';
import { parametersOf, type QuestionFacts, selectFacts } from './facts-of-question.ts';

/** The video, cut into parts: the border before a part is at floor(part * length / parts). */
export interface CutVideo {
  readonly lengthMs: number;
  readonly parts: number;
}

/**
 * What changes in one part, as text, for numbers of any size: how many more views see this part
 * than the one before, how many more ranges have begun in it than ended, and the sum of the
 * positions where they begin less that of those where they end. Part -1 is the whole: positioned
 * views, views and what they saw (ms).
 */
export interface PartChange {
  readonly part: number;
  readonly audience: string;
  readonly ranges: string;
  readonly positionsMs: string;
}

/** A position is at least 0, so a part's number is that of the last border not after it. */
const partOf = (position: string) =>
  `toInt32(intDiv((${position} + 1) * {parts:Int64} - 1, {lengthMs:Int64}))`;

/**
 * Of a view, the ranges that it played are points in order: twice the position, and 1 more where a
 * range ends, so that one that begins there follows it without a gap. Of what is played but does
 * not count, the end moves (`cuts`) for what is watched, and not for what is seen.
 */
export function selectRetention(facts: QuestionFacts, { lengthMs, parts }: CutVideo): FactQuery {
  const sql = `SELECT change.1 AS part, toString(sum(change.2)) AS audience,
  toString(sum(change.3)) AS ranges, toString(sum(change.4)) AS positionsMs
FROM (
  SELECT arraySort(groupArrayArray(
      if(fromMs < seenUntilMs, [fromMs * 2, seenUntilMs * 2 + 1], []))) AS points,
    groupArrayIf((greatest(untilMs, fromMs), seenUntilMs),
      fromMs < seenUntilMs AND untilMs < seenUntilMs) AS cuts,
    max(isPositioned) AS isPositionedView,
    arrayMap(point -> 1 - 2 * toInt64(point % 2), points) AS signs,
    arrayCumSum(signs) AS open,
    arrayMap(point -> intDiv(point, 2), points) AS positions,
    arrayFilter((at, sign, count) -> sign = 1 AND count = 1, positions, signs, open) AS begins,
    arrayFilter((at, count) -> count = 0, positions, open) AS ends,
    arrayMap(at -> ${partOf('at')}, begins) AS firsts,
    arrayMap(at -> ${partOf('(at - 1)')} + 1, ends) AS nexts,
    arrayMap((first, next) -> greatest(first, next), firsts,
      arrayPopBack(arrayPushFront(nexts, 0))) AS entered
  FROM (
${rangesOf(facts)}
  )
  GROUP BY packageId, view
)
ARRAY JOIN arrayConcat(
  [(-1, toInt64(isPositionedView), toInt64(1),
    toInt128(arraySum((begin, end) -> end - begin, begins, ends)))],
  arrayMap(part -> (part, 1, 0, 0), entered),
  arrayMap(part -> (part, -1, 0, 0), nexts),
  arrayMap((at, sign) -> (${partOf('at')}, 0, sign, toInt128(at) * sign), positions, signs),
  arrayMap(cut -> (${partOf('cut.1')}, 0, -1, -toInt128(cut.1)), cuts),
  arrayMap(cut -> (${partOf('cut.2')}, 0, 1, toInt128(cut.2)), cuts)
) AS change
GROUP BY part`;
  const parameters = { ...parametersOf(facts), lengthMs, parts };
  return { name: 'retention', sql, parameters };
}

/**
 * The range of the media that each part of a stretch played: the stretch's media divided over its
 * time, in whole milliseconds, so that the ranges of its parts meet exactly. Where a part counts
 * for less than it claims, what counts of its range ends earlier.
 */
function rangesOf(facts: QuestionFacts): string {
  return `    SELECT packageId, view, position > 0 AS isPositioned,
      ${partFromMs} - startMs AS beforeMs,
      greatest(beforeMs + playMs + laterMs, 1) AS wholeMs,
      intDiv(mediaMs * beforeMs, wholeMs) AS beganMs,
      intDiv(mediaMs * (beforeMs + playMs), wholeMs) - beganMs AS partMs,
      least(if(isPositioned, position - 1, 0), {lengthMs:Int64}) AS startedMs,
      startedMs + beganMs AS fromMs,
      if(isPositioned, least({lengthMs:Int64}, fromMs + partMs), 0) AS seenUntilMs,
      if(isPositioned, least({lengthMs:Int64}, fromMs
        + intDiv(partMs * countedMs, greatest(playMs, 1))), 0) AS untilMs
    FROM (
${selectFacts(facts)}
    )`;
}

/** All parts, from the changes between them. */
export function retentionOf(changes: readonly PartChange[], video: CutVideo): Retention {
  const { lengthMs, parts } = video;
  const of = new Map(changes.map((change) => [change.part, change]));
  const whole = of.get(-1);
  const positioned = BigInt(whole?.audience ?? 0);
  const length = BigInt(lengthMs);
  const borderOf = (part: number): bigint => (BigInt(part) * length) / BigInt(parts);
  const list: RetentionPart[] = [];
  let audience = 0;
  let ranges = 0n;
  for (let part = 0; part < parts; part += 1) {
    const change = of.get(part);
    const [from, to] = [borderOf(part), borderOf(part + 1)];
    const begun = BigInt(change?.ranges ?? 0);
    // Those that go on from before play all of the part, but for what the changes in it take away.
    const playedMs = ranges * (to - from) + begun * to - BigInt(change?.positionsMs ?? 0);
    audience += Number(change?.audience ?? 0);
    ranges += begun;
    const isSeen = to > from && positioned > 0n;
    list.push({
      ...{ part, fromMs: Number(from), toMs: Number(to) },
      audience: to > from ? audience : 0,
      watched: isSeen ? halfUp(playedMs, (to - from) * positioned, 3) : 0,
    });
  }
  return {
    lengthMs,
    views: Number(whole?.ranges ?? 0),
    positionedViews: Number(positioned),
    averageSeen:
      positioned > 0n ? halfUp(BigInt(whole?.positionsMs ?? 0), length * positioned, 4) : null,
    list,
  };
}
