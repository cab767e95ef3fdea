/** All rows of a dimension: searched, sorted by any measure, page after page. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type Dimension, dimensionsAsked } from '../filters/dimensions.ts';
import { keptText, useValueNames } from '../filters/value-name.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { CsvButton } from '../frame/csv-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { SearchField } from '../frame/search-field.tsx';
import { StaleNote } from '../frame/stale-note.tsx';
import { useReader } from '../language.tsx';
import { type Measure, measures } from '../measures.ts';
import { type Answer, query, type Row } from '../questions.ts';
import { parametersOf, useView } from '../statistics.ts';
import { AllRowsTable, type Sort } from './all-rows-table.tsx';
import { Attribution } from './attribution.tsx';
import { RowChange } from './row-change.tsx';
import { rowFigures } from './row-figures.ts';

const pageSize = 1_000;

interface AllRowsProps {
  readonly dimension: Dimension;
  readonly accessKey: string | undefined;
  /** Of the whole list, whatever is searched for. */
  readonly totals: Answer['totals'];
  readonly onClose: () => void;
}

export default function AllRows({ dimension, accessKey, totals, onClose }: AllRowsProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const { titleOf } = useValueNames();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>(`-${view.measure}`);
  const text = useDeferredValue(search.trim());
  const found =
    text === ''
      ? []
      : [
          {
            name: dimension.label ?? dimension.name,
            operator: '=@',
            values: [keptText(dimension.name, text)],
          } as const,
        ];
  const parameters = {
    ...parametersOf(view, [...view.filters, ...found]),
    accessKey,
    measures,
    dimensions: dimensionsAsked(dimension),
    sort: [sort],
    pageSize,
  };
  const { data, error, refetch, ...state } = useInfiniteQuery({
    queryKey: ['all', parameters],
    queryFn: ({ pageParam, signal }) =>
      pageParam === undefined ? query(parameters, signal) : pageParam.next(),
    initialPageParam: undefined as Answer | undefined,
    getNextPageParam: (page) => (page?.nextToken ? page : undefined),
    placeholderData: keepPreviousData,
  });
  const { hasNextPage, fetchNextPage, isFetching, isPlaceholderData } = state;
  const rows = data?.pages.flatMap((page) => page?.rows ?? []) ?? [];
  const besides = (row: Row, measure: Measure) =>
    measure === view.measure && <ShareAndChange {...{ row, totals, measure }} />;
  return (
    <Dialog title={titleOf(dimension)} onClose={onClose} isWide>
      <div className="panel-head">
        <SearchField label={t('list.search')} text={search} onChange={setSearch} />
        <span className="quiet" role="status">
          {data && t('list.count', { count: formats.number(data.pages[0]?.rowCount ?? 0) })}
        </span>
        <CsvButton parameters={parameters} name={dimension.name} />
      </div>
      {error && <ErrorNote error={error} retry={refetch} />}
      <StaleNote />
      {!data && !error && <Loading />}
      {data && rows.length === 0 ? (
        <p className="quiet empty">
          {text === '' ? t('list.empty') : t('list.nothingFound', { text })}{' '}
          {text !== '' && (
            <button type="button" onClick={() => setSearch('')}>
              {t('list.clearSearch')}
            </button>
          )}
        </p>
      ) : (
        <AllRowsTable
          isOld={isPlaceholderData}
          dimension={dimension}
          measures={measures}
          rows={rows}
          besides={besides}
          sort={sort}
          onSort={setSort}
        />
      )}
      <Attribution dimension={dimension} />
      {hasNextPage && (
        <ActionButton isBusy={isFetching} onClick={() => void fetchNextPage()}>
          {t('list.more')}
        </ActionButton>
      )}
    </Dialog>
  );
}

interface ShareAndChangeProps {
  readonly row: Row;
  readonly totals: Answer['totals'];
  readonly measure: Measure;
}

/** As the list has them. */
function ShareAndChange({ row, totals, measure }: ShareAndChangeProps) {
  const { t, formats } = useReader();
  const { value, share, change } = rowFigures(row, totals, measure);
  return (
    <>
      {share !== undefined && (
        <span className="beside">
          <span className="hidden">{t('list.share')} </span>
          {formats.share(share)}
        </span>
      )}
      {change !== undefined && (
        <span className="beside">
          <RowChange {...{ change, value, measure }} />
        </span>
      )}
    </>
  );
}
