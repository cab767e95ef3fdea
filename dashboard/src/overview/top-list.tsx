/** The first rows of one of a card's dimensions; a click on a row filters the page by it. */
import { useState } from 'react';
import {
  type Card,
  type Dimension,
  dimensionsAsked,
  pairsOf,
  videosOf,
} from '../filters/dimensions.ts';
import { useValueNames } from '../filters/value-name.ts';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { Segments } from '../frame/segments.tsx';
import { useReader } from '../language.tsx';
import { drawnValue } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { useThumbnails } from '../thumbnails.ts';
import type { View } from '../view.ts';
import { AboutDimension } from './about.tsx';
import { AllRows } from './all-rows.tsx';
import { Attribution } from './attribution.tsx';
import { TopRow } from './top-row.tsx';

const shownRows = 8;

interface TopListProps {
  readonly card: Card;
  readonly accessKey?: string;
}

export function TopList({ card, accessKey }: TopListProps) {
  const { t } = useReader();
  const { view } = useView();
  const { titleOf } = useValueNames();
  const [dimension, setDimension] = useState<Dimension>(card.dimensions[0] as Dimension);
  const title = t(card.name);
  return (
    <section className="panel card" aria-label={title}>
      <PanelHead
        title={title}
        isTitleHidden={card.dimensions.length > 1}
        about={<AboutDimension dimension={dimension} accessKey={accessKey} />}
      >
        {card.dimensions.length > 1 && (
          <Segments
            label={title}
            isWide
            value={dimension.name}
            options={card.dimensions.map((one) => ({ value: one.name, name: titleOf(one) }))}
            onChoose={(name) =>
              setDimension(card.dimensions.find((one) => one.name === name) ?? dimension)
            }
          />
        )}
        <CsvButton parameters={listParameters(view, dimension, accessKey)} name={dimension.name} />
      </PanelHead>
      <Rows key={dimension.name} dimension={dimension} accessKey={accessKey} />
    </section>
  );
}

function listParameters(view: View, dimension: Dimension, accessKey: string | undefined) {
  return {
    ...parametersOf(view),
    accessKey,
    measures: [view.measure],
    dimensions: dimensionsAsked(dimension),
    pageSize: shownRows,
  };
}

interface RowsProps {
  readonly dimension: Dimension;
  readonly accessKey: string | undefined;
}

function Rows({ dimension, accessKey }: RowsProps) {
  const { t, formats } = useReader();
  const { titleOf } = useValueNames();
  const { view } = useView();
  // Another URL, as by a click on one of the rows, closes it.
  const [openedAt, openAt] = useState<View>();
  const { measure } = view;
  const parameters = listParameters(view, dimension, accessKey);
  const { data, error, refetch, isPending, isPlaceholderData } = useQuestion(parameters);
  const rows = data?.rows ?? [];
  const thumbnails = useThumbnails(videosOf(dimension, rows));
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const largest = Math.max(0, ...rows.map((row) => drawnValue(row, measure) ?? 0));
  return (
    <div className="rows" aria-busy={isPending || isPlaceholderData}>
      <div className="rows-head" aria-hidden="true">
        <span>{titleOf(dimension)}</span>
        <span>{t(`measure.${measure}`)}</span>
      </div>
      <ol>
        {rows.map((row) => (
          <TopRow
            key={pairsOf(dimension, row).join(' ')}
            dimension={dimension}
            row={row}
            largest={largest}
            thumbnails={dimension.name === 'video' ? thumbnails : undefined}
          />
        ))}
      </ol>
      {data && rows.length === 0 && <p className="quiet empty">{t('list.empty')}</p>}
      {data && data.rowCount > rows.length && (
        <button type="button" className="plain more" onClick={() => openAt(view)}>
          {t('list.all', { count: formats.number(data.rowCount) })}
        </button>
      )}
      <Attribution dimension={dimension} />
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      {openedAt === view && (
        <AllRows dimension={dimension} accessKey={accessKey} onClose={() => openAt(undefined)} />
      )}
    </div>
  );
}
