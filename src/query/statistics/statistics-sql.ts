/** Compiles a plan into one SELECT with every value bound. */
import {
  attributeColumns,
  type FactQuery,
  groupingOf,
  type KeyColumn,
  type SumName,
  sumNames,
  sumOf,
  sums,
  tables,
} from '../../store/facts.ts';
import { isTime, type TimeDimension } from '../../vocabulary/statistics.ts';
import { clockParameters, localTime } from '../ranges/local-clock.ts';
import { sumsWithin } from '../ranges/sum-ranges.ts';
import { orderRows, type RowOrder } from './row-order.ts';
import type { Plan } from './statistics-plan.ts';

const { name: table, columns } = tables.playbackSum;

/** Takes the SQL of a slot's local time. */
const timeSql: Readonly<Record<TimeDimension, (local: string) => string>> = {
  date: (local) => `toDate(${local})`,
  hour: (local) => `formatDateTime(${local}, '%H')`,
};

/** `arrange`: orderRows, or orderRowsWithRest. */
export function compile(plan: Plan, order: RowOrder, arrange = orderRows): FactQuery {
  const { accountId, filters, label, clock } = plan;
  const within = sumsWithin(plan.grouping, plan.cover);
  const labelSql = isTime(label) ? timeSql[label](localTime(clock)) : attributeColumns[label];
  const values = sumNames.map(
    (name) => `${sums[name].combine}(${sumOf(largest(name))}) AS ${name}`,
  );
  const summed = `SELECT ${labelSql} AS label, ${values.join(', ')}
FROM (
${selectLargest(plan, within.sql)}
)
GROUP BY label
HAVING ${sumNames.map((name) => `${name} > 0`).join(' OR ')}`;
  const sql = arrange(summed, label, order);
  return {
    name: 'statistics',
    sql,
    parameters: { accountId, ...filters, ...within.parameters, ...clockParameters(clock) },
  };
}

const largest = (name: SumName) => `largest_${name}`;

/** Of rows not merged yet the largest counts. */
function selectLargest({ grouping, filters }: Plan, within: string): string {
  const { groupBy } = groupingOf(grouping);
  const fixed = groupBy.filter((column) => filters[column] !== undefined);
  const conditions = fixed.map((column) => `${column} = {${column}:${parameterType(column)}}`);
  // Only those identity columns that the conditions leave open.
  const keys = ['slot', ...groupBy.filter((column) => !fixed.includes(column))];
  const values = sumNames.map((name) => `max(${name}) AS ${largest(name)}`);
  return `  SELECT ${[...keys, ...values].join(', ')}
  FROM ${table}
  WHERE ${[within, ...conditions].join(' AND ')}
  GROUP BY ${keys.join(', ')}`;
}

function parameterType(column: KeyColumn): string {
  return columns[column].type.replace(/^LowCardinality\((.*)\)$/, '$1');
}
