/**
 * The facts that count, in SQL: each stretch once in a slot, with what is known of it. Questions
 * that sums cannot answer read these.
 */
import { type FactQuery, sums, tables } from '../facts/facts.ts';
import { type BoundArray, boundArray } from './bound-array.ts';
import type { Span } from './cover-range.ts';

const { stretch } = tables;

/** The columns that identify a fact, but for its account and suspect. */
const keys = stretch.orderBy.filter((column) => column !== 'accountId' && column !== 'suspect');
const values = Object.keys(stretch.columns).filter(
  (column) => !(stretch.orderBy as readonly string[]).includes(column),
);
const viewKeys = keys.filter((column) => column !== 'stretch');

export interface CountedFacts {
  readonly accountId: number;
  readonly spans: readonly Span[];
  /** Only facts of these; undefined: of all. */
  readonly videoId?: number | undefined;
  readonly packageId?: number | undefined;
  /** Of all suspects, these count. */
  readonly acceptedSuspects: readonly string[];
  /** SQL of further conditions, on any column; all must hold. */
  readonly conditions?: readonly string[];
}

/**
 * SQL of a table: the columns of `stretch`, and `countedMs`, what counts of `playMs`. Of a view's
 * stretches that claim more time in a slot than the slot has, the later ones are cut, as in the
 * sums (facts/sums.ts). That takes nearly nothing in the order in which the facts are stored.
 */
export function selectCountedFacts(facts: CountedFacts): string {
  const { conditions = [], acceptedSuspects } = facts;
  const largest = acceptedSuspects.length === 0 ? usualFacts(facts) : factsOfSuspects(facts);
  const { mostOfView } = sums.playMs;
  return `SELECT *, least(playMs, ${mostOfView} - least(${mostOfView}, earlierMs)) AS countedMs
FROM (
  SELECT *, sum(playMs) OVER (PARTITION BY ${viewKeys.join(', ')} ORDER BY stretch
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlierMs
  FROM (
${largest}
  )
)${conditions.length > 0 ? `\nWHERE ${conditions.join(' AND ')}` : ''}`;
}

export function parametersOfFacts(facts: CountedFacts): FactQuery['parameters'] {
  const { accountId, videoId, packageId, acceptedSuspects } = facts;
  return {
    accountId,
    ...(videoId === undefined ? {} : { videoId }),
    ...(packageId === undefined ? {} : { packageId }),
    ...boundSuspects(acceptedSuspects).parameters,
    ...Object.fromEntries(
      facts.spans.flatMap(({ fromMs, untilMs }, index) => [
        [`from${index}`, fromMs / 1_000],
        [`until${index}`, untilMs / 1_000],
      ]),
    ),
  };
}

/** Rows that are not merged yet are merged while they are read. */
function usualFacts(facts: CountedFacts): string {
  return `    SELECT ${[...keys, ...values].join(', ')}
    FROM ${stretch.name} FINAL
    WHERE ${conditionsOf(facts).join(' AND ')} AND suspect = ''`;
}

/** Of a stretch under several suspects the largest counts, once. */
function factsOfSuspects(facts: CountedFacts): string {
  return `    SELECT ${[...keys, ...values.map((name) => `max(${name}) AS ${name}`)].join(', ')}
    FROM ${stretch.name}
    WHERE ${conditionsOf(facts).join(' AND ')}
      AND (suspect = '' OR suspect IN ${boundSuspects(facts.acceptedSuspects).sql})
    GROUP BY ${keys.join(', ')}`;
}

function boundSuspects(names: readonly string[]): BoundArray {
  return boundArray('acceptedSuspects', 'String', names);
}

function conditionsOf({ spans, videoId, packageId }: CountedFacts): string[] {
  const slots = spans.map(
    (_, index) =>
      `(slot >= toDateTime({from${index}:UInt32}, 'UTC') AND ` +
      `slot < toDateTime({until${index}:UInt32}, 'UTC'))`,
  );
  return [
    'accountId = {accountId:UInt32}',
    slots.length === 1 ? `${slots[0]}` : `(${slots.join(' OR ')})`,
    ...(packageId === undefined ? [] : ['packageId = {packageId:UInt32}']),
    ...(videoId === undefined ? [] : ['videoId = {videoId:UInt32}']),
  ];
}

/** When a fact's part of its stretch began (ms); 0 where the start is not known. */
export const partFromMs =
  'toInt64(if(startMs = 0, 0, greatest(startMs, toUnixTimestamp(slot) * 1000)))';
