/**
 * One beginning for each stretch. Senders correct their clocks, and some number anew under an old
 * name. Of all beginnings told of a stretch the smallest counts. What was told of others goes on
 * from it where each is at most a minute after the one before; where one is further away, it counts
 * neither a play nor time (docs/decisions/one-beginning-a-stretch.md).
 *
 * Facts only ever grow: the first beginning gets the longest time and the play, and each fact of
 * another a ceiling that leaves nothing of it. So this may be repeated, in any order and by any
 * node.
 */
import { toldOfFactNames } from '../tables/audience.ts';
import { stretchKey, tables } from '../tables/schema.ts';
import { slotMs, supersededCeiling } from '../tables/sums.ts';

const { stretch } = tables;

/** Beginnings no further apart are one, told by a clock that was corrected. */
export const sameBeginningMs = 60_000;

export const factKeys = [...stretchKey, 'suspect'];
const stretchKeys = ['accountId', 'packageId', 'videoId', 'view', 'stretch'];

const isOther = (column: string) => !['slot', 'startMs'].includes(column);
const otherKeys = factKeys.filter(isOther);

/** What is written to a fact, and how SQL names what it has and what it should have. */
const numbers = [
  ...(['plays', 'playMs', 'laterMs', 'mediaMs', 'position', 'ceiling'] as const),
  ...(['waitMs', 'cause', 'outcome', 'mediaBits', 'frames', 'droppedFrames'] as const),
] as const;
const written = [...numbers, ...toldOfFactNames] as const;
export const columnsOfBeginnings = [...factKeys, ...written];
const own = (column: (typeof written)[number]) => `own_${column}`;
const due = (column: (typeof written)[number]) => `due_${column}`;
const isNumber = (column: string) => numbers.some((name) => name === column);
const typed = (column: (typeof written)[number], sql: string) =>
  isNumber(column) ? `toUInt64(${sql})` : `toString(${sql})`;
const nothing = (column: (typeof written)[number]) => typed(column, isNumber(column) ? '0' : "''");
/** What belongs to a stretch as a whole, or to a wait: all of its facts have the largest. */
const whole = (column: (typeof written)[number]) => `whole_${column}`;
const wholes = [
  ...(['plays', 'mediaMs', 'waitMs', 'cause', 'outcome'] as const),
  ...(['mediaBits', 'frames', 'droppedFrames'] as const),
  ...toldOfFactNames,
] as const;

/** No stretch is longer, whatever an import says of its beginning. */
const longestMs = 24 * 60 * 60 * 1_000;
/** Later than any that is known. */
const unknownBeginning = 2n ** 62n;
const slotAtMs = 'toInt64(toUnixTimestamp(slot)) * 1000';

const began = `if(startMs = 0, ${unknownBeginning}, toInt64(startMs))`;

/**
 * The facts of stretches with several beginnings, each with the first one, and whether its own is
 * taken for it. In room for its rows alone: a hostile stretch may have very many.
 */
function selectSeveral(facts: string): string {
  const keys = stretchKeys.join(', ');
  const inOrder = `PARTITION BY ${keys} ORDER BY began`;
  // By range: the facts of one beginning come in any order, and only one of them has the gap.
  return `SELECT *, min(began) OVER (PARTITION BY ${keys}) AS firstMs,
        sum(isFar) OVER (${inOrder} RANGE UNBOUNDED PRECEDING) = 0 AS isSame
      FROM (
        SELECT *, began - lagInFrame(began, 1, began) OVER (${inOrder} ROWS UNBOUNDED PRECEDING)
          > ${sameBeginningMs} AS isFar
        FROM (
          SELECT ${factKeys.join(', ')}, ${began} AS began,
            ${written.map((column) => `max(${column}) AS ${own(column)}`).join(', ')}
          FROM ${facts} AND (${keys}) IN (
            SELECT ${keys} FROM ${facts} GROUP BY ${keys} HAVING min(startMs) != max(startMs))
          GROUP BY ${factKeys.join(', ')}
        )
      )`;
}

const endMs = 'firstMs + wholeMs';
const slotEndMs = `${slotAtMs} + ${slotMs}`;
const dueOfFirst = {
  ...(Object.fromEntries(wholes.map((column) => [column, whole(column)])) as Record<
    (typeof wholes)[number],
    string
  >),
  plays: `if(${slotAtMs} = intDiv(firstMs, ${slotMs}) * ${slotMs}, ${whole('plays')}, 0)`,
  playMs: `greatest(least(${endMs}, ${slotEndMs}) - greatest(firstMs, ${slotAtMs}), 0)`,
  laterMs: `greatest(${endMs} - (${slotEndMs}), 0)`,
  position: 'firstPosition',
  ceiling: '0',
} satisfies Record<(typeof written)[number], string>;

/**
 * Selects what is missing in facts, in the columns of `columnsOfBeginnings`. `facts`: SQL of them,
 * to which another condition can be added.
 */
export function selectUnsettledBeginnings(facts: string): string {
  const several = selectSeveral(facts);
  return `SELECT ${factKeys.join(', ')}, ${written.map((column) => `max(${due(column)}) AS ${column}`).join(', ')}
    FROM (
      SELECT ${otherKeys.join(', ')}, toDateTime(number * ${slotMs / 1_000}, 'UTC') AS slot,
        toUInt64(firstMs) AS startMs,
        ${written.map((column) => `${typed(column, dueOfFirst[column])} AS ${due(column)}, ${nothing(column)} AS ${own(column)}`).join(', ')}
      FROM (
        SELECT ${otherKeys.join(', ')}, firstMs, toInt64(max(least(${longestMs}, if(${own('playMs')} = 0, 0,
            greatest(${slotAtMs} - began, 0) + ${own('playMs')} + ${own('laterMs')})))) AS wholeMs,
          ${wholes.map((column) => `max(${own(column)}) AS ${whole(column)}`).join(', ')},
          maxIf(${own('position')}, began = firstMs) AS firstPosition
        FROM (
      ${several}
        )
        WHERE isSame
        GROUP BY ${otherKeys.join(', ')}, firstMs
      )
      ARRAY JOIN range(intDiv(firstMs, ${slotMs}),
        intDiv(firstMs + greatest(wholeMs, 1) - 1, ${slotMs}) + 1) AS number
      UNION ALL
      SELECT ${otherKeys.join(', ')}, slot, startMs,
        ${written.map((column) => `${column === 'ceiling' ? `toUInt64(if(began > firstMs, ${supersededCeiling}, 0))` : nothing(column)} AS ${due(column)}, ${typed(column, own(column))} AS ${own(column)}`).join(', ')}
      FROM (
      ${several}
      )
    )
    GROUP BY ${factKeys.join(', ')}
    HAVING ${written.map((column) => `max(${due(column)}) > max(${own(column)})`).join(' OR ')}`;
}

const mostNamed = 1_000;
const mostBeginnings = 100;

/** Selects an account's stretches with a beginning that is no other's, as `OtherBeginnings`. */
export const selectOtherBeginnings = `SELECT packageId, videoId, view, stretch,
        arraySlice(arraySort(groupUniqArray(startMs)), 1, ${mostBeginnings}) AS beginningsMs
      FROM ${stretch.name}
      WHERE accountId = {accountId:UInt32} AND (suspect = '' OR ceiling >= ${supersededCeiling})
        AND (${stretchKeys.join(', ')}) IN (
        SELECT ${stretchKeys.join(', ')} FROM ${stretch.name}
        WHERE accountId = {accountId:UInt32} AND ceiling >= ${supersededCeiling})
      GROUP BY ${stretchKeys.join(', ')}
      HAVING arrayExists(gap -> gap > ${sameBeginningMs}, 
        arrayDifference(arraySort(groupUniqArray(startMs))))
      ORDER BY packageId, videoId, view, stretch LIMIT ${mostNamed}`;
