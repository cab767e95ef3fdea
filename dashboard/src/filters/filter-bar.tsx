import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Icon } from '../frame/icons.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { isEditable } from './dimensions.ts';
import { useFilterText } from './filter-text.ts';
import { type Filter, mostFilters, readFilters } from './filters.ts';
import { useFilterNames } from './use-filter-names.ts';

const FilterDialog = lazy(() => import('./filter-dialog.tsx'));

interface FilterBarProps {
  /** Of the video that the page is about. */
  readonly accessKey?: string;
}

/**
 * What the page is filtered by, to be changed and taken away. It has its place without any, too, or
 * a click that filters would move the page under the pointer.
 */
export function FilterBar({ accessKey }: FilterBarProps) {
  const { t } = useReader();
  const { view, filterBy } = useView();
  return (
    <FilterChips {...{ accessKey, filterBy, filters: view.filters }}>
      <span className="quiet filter-hint">{t('filter.hint')}</span>
    </FilterChips>
  );
}

interface FilterChipsProps {
  readonly accessKey?: string | undefined;
  readonly filters: readonly Filter[];
  readonly filterBy: (filters: readonly Filter[]) => void;
  /** Said where there are none. */
  readonly children: ReactNode;
}

export function FilterChips({ accessKey, filters, filterBy, children }: FilterChipsProps) {
  const { t } = useReader();
  // The one that is changed; `new`: one more.
  const [opened, open] = useState<Filter | 'new'>();
  const pinned = readFilters(usePerson().shared?.filters ?? '');
  return (
    <div className="filters">
      {filters.length + pinned.length > 0 && (
        <ul className="filters" aria-label={t('filter.label')}>
          {pinned.map((filter, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they stay as they are
            <li key={index} className="chip pinned" title={t('filter.pinned')}>
              <FilterText filter={filter} />
            </li>
          ))}
          {filters.map((filter) => (
            <li key={JSON.stringify(filter)} className="chip">
              <FilterChip
                filter={filter}
                onOpen={() => open(filter)}
                onRemove={() => filterBy(filters.filter((other) => other !== filter))}
              />
            </li>
          ))}
        </ul>
      )}
      {filters.length + pinned.length < mostFilters && (
        <button type="button" className="plain" onClick={() => open('new')}>
          <Icon name="add" /> {t('filter.add')}
        </button>
      )}
      {filters.length === 0 ? (
        children
      ) : (
        <button type="button" className="plain" onClick={() => filterBy([])}>
          {t('filter.clear')}
        </button>
      )}
      {opened && (
        <Suspense fallback={null}>
          <FilterDialog
            {...{ accessKey, filters, filterBy, filter: opened === 'new' ? undefined : opened }}
            onClose={() => open(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

interface FilterChipProps {
  readonly filter: Filter;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

function FilterChip({ filter, onOpen, onRemove }: FilterChipProps) {
  const { t } = useReader();
  const text = useText(filter);
  return (
    <>
      {isEditable(filter) ? (
        <button type="button" title={t('filter.change')} onClick={onOpen}>
          {text}
        </button>
      ) : (
        <span>{text}</span>
      )}
      <button type="button" aria-label={`${t('filter.remove')}: ${text}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </>
  );
}

export function FilterText({ filter }: { readonly filter: Filter }) {
  return <span>{useText(filter)}</span>;
}

function useText(filter: Filter): string {
  const textOf = useFilterText();
  return textOf(filter, useFilterNames(filter));
}
