/** SQL that bounds an answer's rows and puts them in their order: total, natural for labels. */

import { assert } from '../../lib/assert.ts';
import { type SumName, sumNames, sums } from '../../store/facts.ts';
import {
  type DimensionName,
  dimensions,
  isTime,
  type MeasureName,
  measures,
  otherValue,
} from '../../vocabulary/statistics.ts';
import type { Question } from '../parse/question.ts';

export type RowOrder = Pick<Question, 'sortData' | 'sortDirection'>;

/**
 * How many values of an attribute an answer lists: those played most. A range
 * may have a million values, and everybody shares the process that answers.
 */
export const mostValues = 10_000;

/**
 * Takes a SELECT of labels and their sums, without order. For an attribute it gives at most one
 * value more than an answer lists, which shows that there are others.
 */
export function orderRows(select: string, label: DimensionName, order: RowOrder): string {
  const bounded = isTime(label)
    ? select
    : `SELECT label, ${sumNames.join(', ')}
FROM (
${select}
ORDER BY ${mostFirst(sumNames, 'label')}
LIMIT ${mostValues + 1}
)`;
  return `${bounded}\nORDER BY ${orderBy(label, order)}`;
}

const ofValue = (name: SumName) => `value_${name}`;
const ofAll = (name: SumName) => `all_${name}`;

/**
 * The same with the sums of the other values in one row, together with those that were stored
 * without their names. It takes twice the time, so it is for answers that need it.
 */
export function orderRowsWithRest(select: string, label: DimensionName, order: RowOrder): string {
  for (const name of sumNames) assert(sums[name].combine === 'sum', 'what is left can be summed');
  const listed = `place <= ${mostValues}`;
  const named = sumNames.map((name) => `${name} AS ${ofValue(name)}`);
  const all = sumNames.map((name) => `sum(${name}) OVER () AS ${ofAll(name)}`);
  // Of the one value more, in whose place the others stand.
  const rest = sumNames.map((name) => {
    const value = ofValue(name);
    return `toUInt64(${ofAll(name)} - sum(${value}) OVER () + ${value}) AS rest_${name}`;
  });
  const folded = sumNames.map(
    (name) => `sum(if(${listed}, ${ofValue(name)}, rest_${name})) AS ${name}`,
  );
  return `SELECT if(${listed}, value, '${otherValue}') AS label, ${folded.join(', ')}
FROM (
SELECT value, ${sumNames.map(ofValue).join(', ')}, ${rest.join(', ')},
  row_number() OVER (ORDER BY ${mostFirst(sumNames.map(ofValue), 'value')}) AS place
FROM (
SELECT label AS value, ${named.join(', ')}, ${all.join(', ')}
FROM (
${select}
)
ORDER BY ${mostFirst(sumNames.map(ofValue), 'value')}
LIMIT ${mostValues + 1}
)
)
GROUP BY label
ORDER BY ${orderBy(label, order)}`;
}

function mostFirst(columns: readonly string[], label: string): string {
  return [...columns.map((column) => `${column} DESC`), label].join(', ');
}

function orderBy(label: DimensionName, { sortData, sortDirection }: RowOrder): string {
  const direction = sortDirection === 'asc' ? 'ASC' : 'DESC';
  const byLabel = labelOrders[dimensions[label].order];
  if (sortData === label) return `${byLabel} ${direction}`;
  // A label that all rows share orders nothing.
  if (!isMeasure(sortData)) return `${byLabel} ASC`;
  return `${measureSql(sortData)} ${direction}, ${byLabel} ASC`;
}

export function isMeasure(name: MeasureName | DimensionName): name is MeasureName {
  return name in measures;
}

/** The value shown, so that equal seconds are a tie and the label decides. */
function measureSql(name: MeasureName): string {
  const { sum, perUnit } = measures[name];
  return `intDiv(${sum}, ${perUnit})`;
}

/**
 * Versions by their parts, 9 before 10 before 10.15: numbers by value, also those with more digits
 * than an integer has, and anything else after them, as text.
 */
const labelOrders = {
  text: 'label',
  version: `arrayMap(part -> if(match(part, '^[0-9]+$'),
  (0, length(replaceRegexpOne(part, '^0+', '')), replaceRegexpOne(part, '^0+', ''), part),
  (1, 0, '', part)), splitByChar('.', toString(label)))`,
} as const;
