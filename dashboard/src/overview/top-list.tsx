/** The first rows of one of a card's dimensions; a click on a row filters the page by it. */
import { lazy, Suspense, useState } from 'react';
import {
  type Card,
  type Dimension,
  dimensionsAsked,
  pairsOf,
  videosOf,
} from '../filters/dimensions.ts';
import { useValueNames } from '../filters/value-name.ts';
import { Choice } from '../frame/choice.tsx';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { Segments } from '../frame/segments.tsx';
import { useSeen } from '../frame/use-seen.ts';
import { useReader } from '../language.tsx';
import { drawnValue } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { useThumbnails } from '../thumbnails.ts';
import type { View } from '../view.ts';
import { AboutDimension } from './about.tsx';
import { useIsRestDue } from './after-figures.tsx';
import { Attribution } from './attribution.tsx';
import { CountryMap, MapPictureButtons } from './country-map.tsx';
import { hasShare, listMeasures } from './row-figures.ts';
import { TopRow } from './top-row.tsx';

const AllRows = lazy(() => import('./all-rows.tsx'));

const shownRows = 8;
/** All there are, for the map. */
const mostCountries = 300;
/** More of them do not fit beside each other. */
const mostSegments = 3;

interface TopListProps {
  readonly card: Card;
  readonly accessKey?: string;
}

export function TopList({ card, accessKey }: TopListProps) {
  const { t } = useReader();
  const { view } = useView();
  const [dimension, setDimension] = useState<Dimension>(card.dimensions[0] as Dimension);
  const [frame, isSeen] = useSeen<HTMLElement>();
  const isRestDue = useIsRestDue();
  const title = t(card.name);
  const { pageSize: _, ...whole } = listParameters(view, dimension, accessKey);
  return (
    <section ref={frame} className="panel card" data-card={card.place} aria-label={title}>
      <PanelHead
        title={title}
        isTitleHidden={card.dimensions.length > 1}
        about={<AboutDimension dimension={dimension} accessKey={accessKey} />}
        files={
          <>
            <CsvButton parameters={whole} name={dimension.name} />
            {dimension.name === 'country' && <MapPictureButtons title={title} />}
          </>
        }
      >
        <DimensionChoice {...{ card, dimension, onChoose: setDimension }} />
      </PanelHead>
      <Rows key={dimension.name} {...{ dimension, accessKey }} isTurn={isSeen || isRestDue} />
    </section>
  );
}

interface DimensionChoiceProps {
  readonly card: Card;
  readonly dimension: Dimension;
  readonly onChoose: (dimension: Dimension) => void;
}

function DimensionChoice({
  card: { name, dimensions },
  dimension,
  onChoose,
}: DimensionChoiceProps) {
  const { t } = useReader();
  const { titleOf } = useValueNames();
  if (dimensions.length === 1) return null;
  const props = {
    value: dimension.name,
    options: dimensions.map((one) => ({ value: one.name, name: titleOf(one) })),
    onChoose: (chosen: string) =>
      onChoose(dimensions.find((one) => one.name === chosen) ?? dimension),
  };
  if (dimensions.length <= mostSegments) return <Segments label={t(name)} isWide {...props} />;
  return (
    <div className="list-choice">
      <Choice label={`${t(name)}: ${t('list.choose')}`} {...props} />
    </div>
  );
}

function listParameters(view: View, dimension: Dimension, accessKey: string | undefined) {
  return {
    ...parametersOf(view),
    accessKey,
    measures: listMeasures(view.measure),
    dimensions: dimensionsAsked(dimension),
    pageSize: dimension.name === 'country' ? mostCountries : shownRows,
  };
}

interface RowsProps {
  readonly dimension: Dimension;
  readonly accessKey: string | undefined;
  /** Whether they are asked for already. */
  readonly isTurn: boolean;
}

function Rows({ dimension, accessKey, isTurn }: RowsProps) {
  const { t, formats } = useReader();
  const { titleOf } = useValueNames();
  const { view } = useView();
  // Another URL, as by a click on one of the rows, closes it.
  const [openedAt, openAt] = useState<View>();
  const { measure } = view;
  const parameters = listParameters(view, dimension, accessKey);
  const { data, error, refetch, isPending, isPlaceholderData } = useQuestion(parameters, {
    enabled: isTurn,
  });
  const rows = data?.rows.slice(0, shownRows) ?? [];
  const thumbnails = useThumbnails(videosOf(dimension, rows));
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const largest = Math.max(0, ...rows.map((row) => drawnValue(row, measure) ?? 0));
  const isCompared = rows.some((row) => row.previous !== undefined);
  return (
    <div className="rows" aria-busy={isPending || isPlaceholderData}>
      {dimension.name === 'country' && data && rows.length > 0 && (
        <CountryMap answer={data} measure={measure} />
      )}
      <div className="list">
        <div className="rows-head" aria-hidden="true">
          <span>{titleOf(dimension)}</span>
          <span className="row-value">{t(`measure.${measure}`)}</span>
          {hasShare(measure) && <span className="row-share">{t('list.share')}</span>}
          {isCompared && <span className="change">{t('list.change')}</span>}
        </div>
        <ol>
          {rows.map((row) => (
            <TopRow
              key={pairsOf(dimension, row).join(' ')}
              dimension={dimension}
              row={row}
              totals={data?.totals ?? {}}
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
      </div>
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      {openedAt === view && (
        <Suspense fallback={null}>
          <AllRows
            {...{ dimension, accessKey, totals: data?.totals ?? {} }}
            onClose={() => openAt(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
