/** The order of an answer's rows: total, and natural for labels. */
import { assert } from '../../lib/assert.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { sortPortions } from '../../lib/tasks/work-portions.ts';
import { isTime } from '../../vocabulary/dimensions.ts';
import { type AudienceMeasureName, audienceMeasures } from '../../vocabulary/measures.ts';
import { compareLabels } from '../labels/label.ts';
import type { Query, SortBy } from '../parse/query.ts';
import { measured } from '../plan/counts.ts';
import type { LabelledCounts } from './row-labels.ts';

type Compare = (one: LabelledCounts, other: LabelledCounts) => number;
type Ordered = Pick<Query, 'measures' | 'dimensions' | 'sort'>;

export function orderRows(
  rows: readonly LabelledCounts[],
  query: Ordered,
): Promise<LabelledCounts[]> {
  const comparisons = rowOrder(query).map((by) => createComparison(by, query));
  const compare: Compare = (one, other) => {
    for (const comparison of comparisons) {
      const order = comparison(one, other);
      if (order !== 0) return order;
    }
    return 0;
  };
  return sortPortions(rows, compare, nextTurn);
}

/** What was asked for or is usual, and then the dimensions, so that no two rows are alike. */
export function rowOrder({ measures, dimensions, sort }: Ordered): SortBy[] {
  const time = dimensions.find(isTime);
  const [first] = measures;
  assert(first, 'a question has a measure');
  const usual = time ? { name: time, isDescending: false } : { name: first, isDescending: true };
  const asked = sort.length > 0 ? sort : [usual];
  const rest = dimensions.filter((name) => asked.every((by) => by.name !== name));
  return [...asked, ...rest.map((name) => ({ name, isDescending: false }))];
}

function createComparison(
  { name, isDescending, perUnit }: SortBy,
  { dimensions }: Ordered,
): Compare {
  const sign = isDescending ? -1 : 1;
  if (!isMeasure(name)) {
    const index = dimensions.indexOf(name);
    return ({ labels }, other) => {
      const [one, another] = [labels[index], other.labels[index]];
      assert(one && another, `rows have a ${name}`);
      return sign * compareLabels(one, another);
    };
  }
  return (one, other) => {
    const [value, another] = [one, other].map(({ counts }) => {
      const value = measured(name, counts);
      return value === null || perUnit === undefined ? value : Math.floor(value / perUnit);
    }) as [number | null, number | null];
    // Nothing is neither much nor little: it comes last.
    if (value === null || another === null)
      return Number(value === null) - Number(another === null);
    return sign * (value - another);
  };
}

function isMeasure(name: SortBy['name']): name is AudienceMeasureName {
  return name in audienceMeasures;
}
