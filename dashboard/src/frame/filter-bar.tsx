import type { Filter } from '../filters.ts';
import { type MessageName, useReader } from '../language.tsx';
import { dimensions } from '../overview/dimensions.ts';
import { useValueNames } from '../overview/value-name.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { Icon } from './icons.tsx';

/** What the page is filtered by; a click takes one away. */
export function FilterBar() {
  const { t } = useReader();
  const { view, filterBy } = useView();
  if (view.filters.length === 0) return null;
  return (
    <ul className="filters" aria-label={t('filter.label')}>
      {view.filters.map((filter) => (
        <li key={filter.name + filter.operator}>
          <FilterChip filter={filter} />
        </li>
      ))}
      <li>
        <button type="button" className="plain" onClick={() => filterBy([])}>
          {t('filter.clear')}
        </button>
      </li>
    </ul>
  );
}

function FilterChip({ filter }: { readonly filter: Filter }) {
  const { t } = useReader();
  const { view, filterBy } = useView();
  const dimension = dimensions.find(({ name }) => name === filter.name);
  const title = dimension ? t(dimension.title) : filter.name.replace(/^label\./, '');
  const values = useNames(filter).join(', ');
  const operator = t(operatorNames[filter.operator]);
  const remove = () => filterBy(view.filters.filter((other) => other !== filter));
  return (
    <button type="button" className="chip" onClick={remove}>
      <span>
        {title}
        {operator} <strong>{values}</strong>
      </span>
      <span className="hidden">{t('filter.remove')}</span>
      <Icon name="close" />
    </button>
  );
}

const operatorNames: Readonly<Record<Filter['operator'], MessageName>> = {
  '==': 'filter.is',
  '!=': 'filter.isNot',
  '=@': 'filter.contains',
  '!@': 'filter.containsNot',
};

/** Videos, packages and folders are called by their names, which an answer tells. */
function useNames(filter: Filter): string[] {
  const { view } = useView();
  const { nameOf } = useValueNames();
  const { name, values } = filter;
  const label = dimensions.find((dimension) => dimension.name === name)?.label;
  const { data } = useQuestion(
    {
      ...parametersOf({ ...view, compare: 'none' }, [filter]),
      measures: 'plays',
      dimensions: name,
    },
    { enabled: label !== undefined },
  );
  return values.map((value) => {
    const row = data?.list.find((one) => String(one[name]) === value);
    const text = label === undefined ? undefined : row?.[label];
    return typeof text === 'string' && text !== '' ? text : nameOf(name, value);
  });
}
