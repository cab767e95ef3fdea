/** Compiles a plan that is answered from sums into one SELECT with every value bound. */
import {
  daySuffix,
  type FactQuery,
  type GroupingName,
  groupingOf,
  sumOf,
  tables,
} from '../../facts/facts.ts';
import {
  beginningsOf,
  countedFacts,
  parametersOfCounted,
  parametersOfCut,
} from '../counted-facts.ts';
import { clockParameters } from '../local-clock.ts';
import type { Beginnings, SumsPiece, SumsPlan } from './query-plan.ts';

export function compileSums(plan: SumsPlan, limit: number): FactQuery {
  const { accountId, keys, conditions, clock, pieces, beginnings } = plan;
  const first = beginnings?.spans.length ?? 0;
  const parts = pieces.map((piece, index) => selectLargest(plan, piece, first + index));
  if (beginnings) parts.push(selectBeginnings(plan, beginnings));
  const groups = keys.sql.map((_, index) => `group${index}`);
  const shown = groups.map((group, index) => `toString(${group}) AS key${index}`);
  const values = ['plays', 'playMs'].map(
    (name) => `sum(${sumOf(`largest_${name}`)}) AS count_${name}`,
  );
  const sql = `SELECT ${[...shown, ...values].join(', ')}
FROM (
${parts.join('\n  UNION ALL\n')}
)${groups.length === 0 ? '' : `\nGROUP BY ${groups.join(', ')}`}
HAVING count_plays > 0 OR count_playMs > 0
LIMIT ${limit}`;
  const parameters = {
    accountId,
    ...keys.parameters,
    ...conditions.parameters,
    ...clockParameters(clock),
  };
  const bound = pieces.map((piece, index) => boundOf(piece, first + index));
  if (beginnings) bound.push(parametersOfCounted(beginnings), parametersOfCut(beginnings.cut));
  return { name: 'query sums', sql, parameters: Object.assign(parameters, ...bound) };
}

function selectBeginnings({ keys, conditions }: SumsPlan, beginnings: Beginnings): string {
  const groups = keys.sql.map((sql, place) => `${sql} AS group${place}`);
  const values = ['sum(plays) AS largest_plays', 'sum(countedMs) AS largest_playMs'];
  const all = [...conditions.sql, ...keys.conditions];
  const where = all.length === 0 ? '' : `\n  WHERE ${all.join(' AND ')}`;
  const by = groups.map((_, place) => `group${place}`);
  const grouped = by.length === 0 ? '' : `\n  GROUP BY ${by.join(', ')}`;
  return `  SELECT ${[...groups, ...values].join(', ')}
  FROM (
${beginningsOf(countedFacts(beginnings), beginnings.cut, true)}
  )${where}${grouped}`;
}

/** Of rows that are not merged yet the largest counts. */
function selectLargest(plan: SumsPlan, { grouping }: SumsPiece, index: number): string {
  const { keys, conditions } = plan;
  const { groupBy } = groupingOf(grouping.replace(daySuffix, '') as GroupingName);
  const groups = keys.sql.map((sql, place) => `${sql} AS group${place}`);
  const largest = ['plays', 'playMs'].map((name) => `max(${name}) AS largest_${name}`);
  // A grouping without a column has 0 there; the condition lets the index reach the slots.
  const unused = (['videoId', 'packageId'] as const).filter((column) => !groupBy.includes(column));
  const all = [
    'accountId = {accountId:UInt32}',
    `grouping = {grouping${index}:String}`,
    ...unused.map((column) => `${column} = 0`),
    `slot >= {from${index}:UInt32} AND slot < {until${index}:UInt32}`,
    ...conditions.sql,
    ...keys.conditions,
  ];
  return `  SELECT ${[...groups, ...largest].join(', ')}
  FROM ${tables.playbackSum.name}
  WHERE ${all.join(' AND ')}
  GROUP BY ${['slot', ...groupBy].join(', ')}`;
}

function boundOf({ grouping, span }: SumsPiece, index: number): FactQuery['parameters'] {
  return {
    [`grouping${index}`]: grouping,
    [`from${index}`]: span.fromMs / 1_000,
    [`until${index}`]: span.untilMs / 1_000,
  };
}
