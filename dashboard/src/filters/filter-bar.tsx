import type { QueryDimension } from '../../../client/src/index.ts';
import { Icon } from '../frame/icons.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { cellOf, dimensions } from './dimensions.ts';
import { operatorNames, titleOfFilter } from './filter-text.ts';
import { type Filter, readFilters } from './filters.ts';
import { useValueNames } from './value-name.ts';

/**
 * What the page is filtered by; a click takes one away. It has its place without any, too, or a
 * click that filters would move the page under the pointer.
 */
export function FilterBar() {
  const { t } = useReader();
  const { view, filterBy } = useView();
  const pinned = readFilters(usePerson().shared?.filters ?? '');
  if (view.filters.length + pinned.length === 0) {
    return <p className="filters quiet">{t('filter.hint')}</p>;
  }
  return (
    <ul className="filters" aria-label={t('filter.label')}>
      {pinned.map((filter) => (
        <li key={`${filter.name}${filter.operator}pinned`} title={t('filter.pinned')}>
          <span className="chip">
            <FilterText filter={filter} />
          </span>
        </li>
      ))}
      {view.filters.map((filter) => (
        <li key={filter.name + filter.operator}>
          <FilterChip
            filter={filter}
            onRemove={() => filterBy(view.filters.filter((other) => other !== filter))}
          />
        </li>
      ))}
      {view.filters.length > 0 && (
        <li>
          <button type="button" className="plain" onClick={() => filterBy([])}>
            {t('filter.clear')}
          </button>
        </li>
      )}
    </ul>
  );
}

interface FilterChipProps {
  readonly filter: Filter;
  readonly onRemove: () => void;
}

function FilterChip({ filter, onRemove }: FilterChipProps) {
  const { t } = useReader();
  return (
    <button type="button" className="chip" onClick={onRemove}>
      <FilterText filter={filter} />
      <span className="hidden">{t('filter.remove')}</span>
      <Icon name="close" />
    </button>
  );
}

function FilterText({ filter }: { readonly filter: Filter }) {
  const { t } = useReader();
  const title = titleOfFilter(filter.name, t);
  const values = useNames(filter).join(', ');
  const operator = t(operatorNames[filter.operator]);
  return (
    <span>
      {title}
      {operator} <strong dir="auto">{values}</strong>
    </span>
  );
}

/** Videos, packages and folders are called by their names, which are in the answers. */
function useNames(filter: Filter): string[] {
  const { view } = useView();
  const { nameOf } = useValueNames();
  const { name, values } = filter;
  const label = dimensions.find((dimension) => dimension.name === name)?.label;
  const { data } = useQuestion(
    {
      ...parametersOf({ ...view, compare: 'none' }, [filter]),
      measures: ['plays'],
      dimensions: [name as QueryDimension],
    },
    { enabled: label !== undefined },
  );
  return values.map((value) => {
    const row = data?.rows.find((one) => String(cellOf(one, name)) === value);
    const text = label === undefined || !row ? undefined : cellOf(row, label);
    return typeof text === 'string' && text !== '' ? text : nameOf(name, value);
  });
}
