import type { QueryDimension } from '../../../client/src/index.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { cellOf, dimensions } from './dimensions.ts';
import type { Filter } from './filters.ts';
import { useValueNames } from './value-name.ts';

/** Of its values. Videos, packages and folders are called by their names, which are in the answers. */
export function useFilterNames({ name, values }: Pick<Filter, 'name' | 'values'>): string[] {
  const { view } = useView();
  const { nameOf } = useValueNames();
  const label = dimensions.find((dimension) => dimension.name === name)?.label;
  const { data } = useQuestion(
    {
      ...parametersOf({ ...view, compare: 'none' }, [{ name, operator: '==', values }]),
      measures: ['plays'],
      dimensions: [name as QueryDimension],
    },
    { enabled: label !== undefined && values.length > 0 },
  );
  return values.map((value) => {
    const row = data?.rows.find((one) => String(cellOf(one, name)) === value);
    const text = label === undefined || !row ? undefined : cellOf(row, label);
    return typeof text === 'string' && text !== '' ? text : nameOf(name, value);
  });
}
