/** Compiles a plan into one SELECT with every value bound. */
import {
  attributeColumns,
  daySuffix,
  type FactQuery,
  groupingOf,
  type KeyColumn,
  type StoredGrouping,
  type SumName,
  sumNames,
  sumOf,
  sums,
  tables,
} from '../facts/facts.ts';
import { isTime } from '../wire/statistics.ts';
import type { Span } from './cover-range.ts';
import { clockParameters, localTime } from './local-clock.ts';
import { orderRows, type RowOrder } from './order-rows.ts';
import type { Plan } from './plan.ts';
import { timeLabels } from './time-labels.ts';

const { name: table, columns, orderBy } = tables.playbackSum;

/** One span of one grouping's sums; its name prefixes its parameters. */
interface Piece {
  readonly name: string;
  readonly grouping: StoredGrouping;
  readonly span: Span;
}

/** `arrange`: orderRows, or orderRowsWithRest. */
export function compile(plan: Plan, order: RowOrder, arrange = orderRows): FactQuery {
  const { accountId, filters, label, cover, clock, grouping } = plan;
  const pieces: Piece[] = [
    ...cover.slots.map((span, index) => ({ name: `slots${index}`, grouping, span })),
    ...cover.days.map((span, index) => {
      return { name: `days${index}`, grouping: `${grouping}${daySuffix}` as const, span };
    }),
  ];
  const labelSql = isTime(label)
    ? timeLabels[label].sql(localTime(clock))
    : attributeColumns[label];
  const values = sumNames.map(
    (name) => `${sums[name].combine}(${sumOf(largest(name))}) AS ${name}`,
  );
  const summed = `SELECT ${labelSql} AS label, ${values.join(', ')}
FROM (
${pieces.map(({ name }) => selectLargest(plan, name)).join('\n  UNION ALL\n')}
)
GROUP BY label
HAVING ${sumNames.map((name) => `${name} > 0`).join(' OR ')}`;
  const sql = arrange(summed, label, order);
  const parameters = { accountId, ...filters, ...clockParameters(clock) };
  Object.assign(parameters, ...pieces.map(parametersOf));
  return { name: 'statistics', sql, parameters };
}

const largest = (name: SumName) => `largest_${name}`;

/** Sums of one grouping over one span; of rows not merged yet the largest counts. */
function selectLargest({ grouping, filters }: Plan, piece: string): string {
  const { groupBy } = groupingOf(grouping);
  const conditions: string[] = [];
  // Only those identity columns that the conditions leave open.
  const keys: string[] = [];
  for (const column of orderBy) {
    if (column === 'accountId') conditions.push('accountId = {accountId:UInt32}');
    else if (column === 'grouping') conditions.push(`grouping = {${piece}Grouping:String}`);
    else if (column === 'slot') {
      conditions.push(`slot >= {${piece}From:UInt32}`, `slot < {${piece}Until:UInt32}`);
      keys.push(column);
    } else if (filters[column as KeyColumn] !== undefined) {
      conditions.push(`${column} = {${column}:${parameterType(column)}}`);
    } else if (groupBy.includes(column as KeyColumn)) keys.push(column);
    // A grouping without this column has 0 there; the condition lets the index reach the slots.
    else if (!keys.includes('slot')) conditions.push(`${column} = 0`);
  }
  const values = sumNames.map((name) => `max(${name}) AS ${largest(name)}`);
  return `  SELECT ${[...keys, ...values].join(', ')}
  FROM ${table}
  WHERE ${conditions.join(' AND ')}
  GROUP BY ${keys.join(', ')}`;
}

function parameterType(column: keyof typeof columns): string {
  return columns[column].type.replace(/^LowCardinality\((.*)\)$/, '$1');
}

function parametersOf({ name, span, grouping }: Piece) {
  return {
    [`${name}Grouping`]: grouping,
    [`${name}From`]: span.fromMs / 1_000,
    [`${name}Until`]: span.untilMs / 1_000,
  };
}
