/** Compiles a plan that is answered from sums into one SELECT with every value bound. */
import { type FactQuery, findGrouping, tables, unpackSum } from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import type { Beginnings, SumsPlan } from '../plan/query-plan.ts';
import {
  columnsNamed,
  countedFacts,
  parametersOfCounted,
  parametersOfCut,
  selectBegun,
} from '../ranges/counted-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import { sumsWithin } from '../ranges/slot-ranges.ts';

export function compileSums(plan: SumsPlan, limit: number): FactQuery {
  const { accountId, keys, conditions, clock, grouping, cover, beginnings, mostListed } = plan;
  const within = sumsWithin(grouping, cover);
  const isCovered = cover.slots.length + cover.days.length > 0;
  const parts = [
    ...(isCovered ? [selectLargest(plan, within.sql)] : []),
    ...(beginnings ? [selectBeginnings(plan, beginnings)] : []),
  ];
  const groups = keys.sql.map((_, index) => `group${index}`);
  const shown = groups.map((group, index) => `toString(${group}) AS key${index}`);
  const values = ['plays', 'playMs'].map(
    (name) => `sum(${unpackSum(`largest_${name}`)}) AS count_${name}`,
  );
  const by = (what: string) => (groups.length === 0 ? '' : `\n${what} BY ${groups.join(', ')}`);
  const all = `SELECT ${[...shown, ...values].join(', ')}
FROM (
${parts.join('\n  UNION ALL\n')}
)${by('GROUP')}
HAVING count_plays > 0 OR count_playMs > 0`;
  // Rows of times are mostly shown in their order, in which they take no time to sort.
  const rows = mostListed === undefined ? all + by('ORDER') : selectListed(all, mostListed);
  return {
    name: 'query sums',
    sql: `${rows}\nLIMIT ${limit}`,
    parameters: {
      accountId,
      ...within.parameters,
      ...keys.parameters,
      ...conditions.parameters,
      ...clockParameters(clock),
      ...(beginnings && { ...parametersOfCounted(beginnings), ...parametersOfCut(beginnings.cut) }),
    },
  };
}

/** The values that were played most, and all others in one row. */
function selectListed(select: string, mostListed: number): string {
  return `SELECT if(place <= ${mostListed}, value, '${otherValue}') AS key0,
  sum(value_plays) AS count_plays, sum(value_playMs) AS count_playMs
FROM (
SELECT key0 AS value, count_plays AS value_plays, count_playMs AS value_playMs,
  row_number() OVER (ORDER BY value_plays DESC, value_playMs DESC, value) AS place
FROM (
${select}
)
)
GROUP BY key0`;
}

function selectBeginnings({ keys, conditions }: SumsPlan, beginnings: Beginnings): string {
  const groups = keys.sql.map((sql, place) => `${sql} AS group${place}`);
  const values = ['sum(plays) AS largest_plays', 'sum(countedMs) AS largest_playMs'];
  const all = [...conditions.sql, ...keys.conditions];
  const where = all.length === 0 ? '' : `\n  WHERE ${all.join(' AND ')}`;
  const source = { ...beginnings, columns: columnsNamed(...groups, ...values, ...all) };
  const by = groups.map((_, place) => `group${place}`);
  const grouped = by.length === 0 ? '' : `\n  GROUP BY ${by.join(', ')}`;
  return `  SELECT ${[...groups, ...values].join(', ')}
  FROM (
${selectBegun(countedFacts(source), source, true)}
  )${where}${grouped}`;
}

/** The largest of rows that are not merged yet counts. */
function selectLargest({ keys, conditions, grouping }: SumsPlan, within: string): string {
  const groups = keys.sql.map((sql, place) => `${sql} AS group${place}`);
  const largest = ['plays', 'playMs'].map((name) => `max(${name}) AS largest_${name}`);
  return `  SELECT ${[...groups, ...largest].join(', ')}
  FROM ${tables.playbackSum.name}
  WHERE ${[within, ...conditions.sql, ...keys.conditions].join(' AND ')}
  GROUP BY ${['slot', ...findGrouping(grouping).groupBy].join(', ')}`;
}
