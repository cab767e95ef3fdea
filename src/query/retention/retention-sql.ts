/**
 * Compiles what changes from part to part of a video, from facts and from days that were counted.
 */
import {
  type Counted,
  type FactQuery,
  type FactReader,
  unionOfPoints,
  viewNumber,
} from '../../store/facts.ts';
import { playback } from '../plan/counts.ts';
import {
  bindFacts,
  type FactScope,
  findKept,
  isOfIds,
  type QuestionFacts,
  selectFacts,
  withOverclaimed,
} from '../plan/question-facts.ts';
import {
  againSql,
  besideDays,
  type CountedDays,
  daysOfFacts,
  hasMarks,
  isWholeDay,
  knownDays,
  parametersOfDays,
  selectDaysRead,
  selectMarked,
  selectSeen,
  selectSeenBy,
  toSpans,
  whileCounted,
} from '../ranges/counted-days.ts';
import { areMany, countedOfFew, partFromMs } from '../ranges/counted-facts.ts';
import { type CutVideo, daysPart, type PartChange, wholePart } from './retention.ts';

/** A position is at least 0, so a part's number is that of the last border not after it. */
const partOf = (position: string) =>
  `toInt32(intDiv((${position} + 1) * {parts:Int64} - 1, {lengthMs:Int64}))`;

/**
 * For ranges in order: the part in which each begins, and the part after the one in which it ends.
 */
const partsOfRanges = [
  `arrayMap(at -> ${partOf('at')}, begins) AS firsts`,
  `arrayMap(at -> ${partOf('(at - 1)')} + 1, ends) AS nexts`,
];
const changesOfParts = [
  'arrayMap(part -> (part, toInt64(1), toInt64(0), toInt128(0)), entered)',
  'arrayMap(part -> (part, toInt64(-1), toInt64(0), toInt128(0)), nexts)',
];
/** `extra` more (or less) are playing from a position on. */
const changeAt = (at: string, extra: string) =>
  `(${partOf(at)}, toInt64(0), toInt64(${extra}), toInt128(${at}) * ${extra})`;

/**
 * Rows are those of `PartChange`. `counted`: days that are read from their counts, if the question
 * names nothing but the video and its package; the facts are those of all other days.
 */
export function selectRetention(
  facts: QuestionFacts,
  { lengthMs, parts }: CutVideo,
  counted?: CountedDays,
): FactQuery {
  const changes = [
    ...(counted === undefined || counted.rest.length > 0 || hasMarks(counted)
      ? [changesOfViews(partsOfViews(facts, counted))]
      : []),
    ...(counted ? [changesOfRows(facts), daysRead] : []),
  ];
  const sql = `SELECT change.1 AS part, toString(sum(change.2)) AS audience,
  toString(sum(change.3)) AS ranges, toString(sum(change.4)) AS positionsMs
FROM (
${changes.join('\nUNION ALL\n')}
)
GROUP BY part`;
  const parameters = {
    ...bindFacts(facts),
    ...(counted && parametersOfDays(counted)),
    ...{ lengthMs, parts },
  };
  const isCostly = areMany({ ...facts, spans: counted?.rest ?? facts.spans });
  return { name: 'retention', sql, parameters, isCostly };
}

function partsOfViews(facts: QuestionFacts, counted: CountedDays | undefined): string {
  if (counted === undefined) return selectRanges(selectFacts(facts));
  const { rest, uncounted } = counted;
  return [
    ...(rest.length > 0 ? [selectRanges(selectFacts(facts))] : []),
    ...(uncounted.length > 0 ? [selectRanges(selectAgain(facts, counted), '[1, -1]')] : []),
    ...(hasMarks(counted) ? [rangesOfMarked(facts)] : []),
  ].join('\n    UNION ALL\n');
}

/**
 * The union of the ranges that a view played. If some of it was played but does not count, the end
 * moves (`cuts`) for what is watched, but not for what is seen. If a view continues on other days,
 * its own ranges on counted days are subtracted again (`sign`).
 */
function changesOfViews(ranges: string): string {
  return `SELECT (change.1, change.2 * sign, change.3 * sign, change.4 * sign) AS change
FROM (
  SELECT sign, arraySort(groupArrayArray(
      if(fromMs < seenUntilMs, [fromMs * 2, seenUntilMs * 2 + 1], []))) AS points,
    groupArrayIf((greatest(untilMs, fromMs), seenUntilMs),
      fromMs < seenUntilMs AND untilMs < seenUntilMs) AS cuts,
    max(isPositioned) AS isPositionedView,
    ${unionOfPoints.join(',\n    ')},
    ${partsOfRanges.join(',\n    ')},
    arrayMap((first, next) -> greatest(first, next), firsts,
      arrayPopBack(arrayPushFront(nexts, 0))) AS entered
  FROM (
${ranges}
  )
  GROUP BY packageId, view, sign
)
ARRAY JOIN arrayConcat(
  [(toInt32(${wholePart}), toInt64(isPositionedView), toInt64(1),
    toInt128(arraySum((begin, end) -> end - begin, begins, ends)))],
  ${changesOfParts.join(',\n  ')},
  arrayMap((at, by) -> ${changeAt('at', 'by')}, positions, signs),
  arrayMap(cut -> ${changeAt('cut.1', '-1')}, cuts),
  arrayMap(cut -> ${changeAt('cut.2', '1')}, cuts)
) AS change`;
}

const columnsOfRanges = 'packageId, view, sign, isPositioned, fromMs, seenUntilMs, untilMs';

/**
 * The range of the media that each part of a stretch played: the stretch's media divided over its
 * time, in whole milliseconds, so that the ranges of its parts meet exactly. If a part counts for
 * less than it claims, the counted part of its range ends earlier.
 */
function selectRanges(facts: string, signs = '[1]'): string {
  return `    SELECT ${columnsOfRanges}
    FROM (
      SELECT packageId, view, toInt64(arrayJoin(${signs})) AS sign,
        position > 0 AS isPositioned,
        ${partFromMs} - startMs AS beforeMs,
        greatest(beforeMs + playMs + laterMs, 1) AS wholeMs,
        intDiv(mediaMs * beforeMs, wholeMs) AS beganMs,
        intDiv(mediaMs * (beforeMs + playMs), wholeMs) - beganMs AS partMs,
        least(if(isPositioned, position - 1, 0), {lengthMs:Int64}) AS startedMs,
        toInt64(startedMs + beganMs) AS fromMs,
        toInt64(if(isPositioned, least({lengthMs:Int64}, fromMs + partMs), 0)) AS seenUntilMs,
        toInt64(if(isPositioned, least({lengthMs:Int64}, fromMs
          + intDiv(partMs * countedMs, greatest(playMs, 1))), 0)) AS untilMs
      FROM (
${facts}
      )
      WHERE ${playback}
    )`;
}

const cutAt = (position: string) => `least(toInt64(${position}), {lengthMs:Int64})`;

/** A row of a view that played and reported no position has no range, but the view still counts. */
function rangesOfMarked(facts: QuestionFacts): string {
  return `    SELECT packageId, view, toInt64(1) AS sign, isPositioned,
      ${cutAt('beginMs')} AS fromMs, ${cutAt('endMs')} AS seenUntilMs, seenUntilMs AS untilMs
    FROM (
      SELECT packageId, view, positionedViews > 0 AS isPositioned, at AS beginMs, at + ms AS endMs
      FROM (
${selectSeenBy('marked', ` AND views > 0${isOfIds(facts)}`)}
      )
      LEFT ARRAY JOIN fromMs AS at, rangeMs AS ms
    )`;
}

/** Facts on counted days of views without a mark that have facts on days without counts as well. */
function selectAgain(facts: QuestionFacts, { days, uncounted }: CountedDays): string {
  const ofIds = isOfIds(facts);
  const { mayBe, is } = againSql(uncounted, ofIds);
  const source = { ...facts, spans: toSpans(days) };
  const first = `${ofIds.slice(' AND '.length)} AND ${mayBe}`;
  return `SELECT * FROM (
${countedOfFew(source, { first, name: 'day' })}
)
WHERE ${is} AND ${viewNumber} NOT IN (${selectMarked}${ofIds})`;
}

/** For marked views, only what is played more than once, or does not count: that adds up. */
function changesOfRows(facts: QuestionFacts): string {
  return `SELECT change
FROM (
  SELECT isTogether, views, positionedViews, extraAtMs, extra,
    arrayMap(at -> ${cutAt('at')}, fromMs) AS fromCut,
    arrayMap((at, ms) -> ${cutAt('(at + ms)')}, fromMs, rangeMs) AS untilCut,
    arrayFilter((at, end) -> at < end, fromCut, untilCut) AS begins,
    arrayFilter((end, at) -> at < end, untilCut, fromCut) AS ends,
    arrayFilter((isOne, at, end) -> at < end, isFirst, fromCut, untilCut) AS isOfNextView,
    ${partsOfRanges.join(',\n    ')},
    arrayMap((first, next, isNext) -> greatest(first, if(isNext = 1, 0, next)), firsts,
      arrayPopBack(arrayPushFront(nexts, 0)), isOfNextView) AS entered
  FROM (
${selectSeen(isOfIds(facts))}
  )
)
ARRAY JOIN arrayConcat(
  if(isTogether, arrayConcat(
    [(toInt32(${wholePart}), toInt64(positionedViews), toInt64(views),
      toInt128(arraySum((begin, end) -> end - begin, begins, ends)))],
    ${changesOfParts.join(',\n    ')},
    arrayMap(at -> ${changeAt('at', '1')}, begins),
    arrayMap(at -> ${changeAt('at', '-1')}, ends)
  ), []),
  arrayMap((at, by) -> ${changeAt(cutAt('at'), 'by')}, extraAtMs, extra)
) AS change`;
}

const daysRead = `SELECT (toInt32(${daysPart}), toInt64(days), toInt64(0), toInt128(0)) AS change
FROM (${selectDaysRead})`;

/* Reads what changes from part to part, from the counts of days where they are enough. */

/** `asked` names a video. */
export function readPartChanges(
  asked: FactScope,
  video: CutVideo,
  facts: FactReader,
): Promise<PartChange[]> {
  return whileCounted(async () => {
    const kept = await findKept(asked, facts);
    const days = await planDays({ ...asked, ...kept }, facts);
    const spans = days?.rest ?? asked.spans;
    const read = await withOverclaimed({ ...asked, ...kept, spans }, facts);
    const changes = await facts.read<PartChange>(selectRetention(read, video, days));
    return days === undefined || countDays(changes) === days.days.length ? changes : undefined;
  });
}

/** Undefined if everything is read from facts: counts of days have no filters. */
async function planDays(
  asked: FactScope & Counted,
  facts: Pick<FactReader, 'audienceDays' | 'readMany'>,
): Promise<CountedDays | undefined> {
  const { accountId, spans, conditions = [], accepted, erased } = asked;
  if (conditions.length > 0 || accepted.length > 0 || erased !== undefined) return undefined;
  const known = await knownDays(asked, facts);
  const days = known.filter(({ day }) => isWholeDay(day, spans));
  if (days.length === 0) return undefined;
  const daysWithFacts = (some: FactScope['spans']) =>
    daysOfFacts({ accountId, spans: some }, facts);
  return besideDays(spans, { known, days }, daysWithFacts);
}

function countDays(changes: readonly PartChange[]): number {
  return Number(changes.find(({ part }) => part === daysPart)?.audience ?? 0);
}
