/** All groups of one kind beside each other: how they start and run, and how that changed. */
import { useState } from 'react';
import {
  type Dimension,
  dimensionsAsked,
  errorDimension,
  qualityDimensions,
} from '../filters/dimensions.ts';
import { useValueNames } from '../filters/value-name.ts';
import { Change } from '../frame/change.tsx';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { Segments } from '../frame/segments.tsx';
import { useReader } from '../language.tsx';
import { headlines, isBetterLess, type Measure } from '../measures.ts';
import { AboutDimension } from '../overview/about.tsx';
import { AllRowsTable, type Sort } from '../overview/all-rows-table.tsx';
import { Attribution } from '../overview/attribution.tsx';
import type { Row } from '../questions.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { leastRanked } from './findings.ts';
import { isRanked, rankRows } from './rank-rows.ts';

const pageSize = 1_000;
/** Of errors there is nothing else. */
const ofErrors = ['failures', 'startFailures'] as const;
const ofOthers = ['attempts', ...headlines] as const;

function columnsOf(dimension: Dimension): readonly [Measure, ...Measure[]] {
  return dimension === errorDimension ? ofErrors : ofOthers;
}

function groupsParameters(view: View, dimension: Dimension) {
  const measures = columnsOf(dimension);
  return {
    ...parametersOf(view),
    measures,
    dimensions: dimensionsAsked(dimension),
    sort: [`-${measures[0]}` as const],
    pageSize,
  };
}

export function GroupTable() {
  const { t } = useReader();
  const { view } = useView();
  const { titleOf } = useValueNames();
  const [dimension, setDimension] = useState<Dimension>(qualityDimensions[0] as Dimension);
  const title = t('groups.title');
  return (
    <section className="panel" aria-label={title}>
      <PanelHead
        title={title}
        about={<AboutDimension dimension={dimension} accessKey={undefined} />}
        files={
          <CsvButton
            parameters={groupsParameters(view, dimension)}
            name={`quality-${dimension.name}`}
          />
        }
      >
        <Segments
          label={title}
          isWide
          value={dimension.name}
          options={qualityDimensions.map((one) => ({ value: one.name, name: titleOf(one) }))}
          onChoose={(name) =>
            setDimension(qualityDimensions.find((one) => one.name === name) ?? dimension)
          }
        />
      </PanelHead>
      <Groups key={dimension.name} dimension={dimension} />
    </section>
  );
}

function Groups({ dimension }: { readonly dimension: Dimension }) {
  const { t, formats } = useReader();
  const { view } = useView();
  const columns = columnsOf(dimension);
  const [first] = columns;
  const [chosenSort, setSort] = useState<Sort>();
  // The worst first.
  const charted = columns.includes(view.measure) ? view.measure : first;
  const sort = chosenSort ?? (charted === 'bitrate' ? charted : (`-${charted}` as const));
  const parameters = groupsParameters(view, dimension);
  const { data, error, refetch, isPending, isPlaceholderData } = useQuestion(parameters);
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  // A group of which no view reports how it waits has nothing to compare, nor has one without errors.
  const rows = rankRows(data?.rows.filter((row) => row[first] !== 0) ?? [], sort);
  const whole = data?.totals[first] ?? 0;
  const besides = (row: Row, measure: Measure) => {
    if (measure === first) {
      const share = formats.share(whole === 0 ? 0 : (row[first] ?? 0) / whole);
      return <span className="beside">{share}</span>;
    }
    if (view.compare === 'none' || !isRanked(row)) return null;
    return (
      <span className="beside">
        <Change
          value={row[measure]}
          before={row.previous?.[measure]}
          isBetterLess={isBetterLess(measure)}
        />
      </span>
    );
  };
  return (
    <div className="rows groups" aria-busy={isPending || isPlaceholderData}>
      <AllRowsTable
        {...{ dimension, rows, sort, besides, measures: columns, onSort: setSort }}
        isOld={isPlaceholderData}
        isQuiet={(row) => !isRanked(row)}
      />
      {data && rows.length === 0 && (
        <p className="quiet empty">
          {t(dimension === errorDimension ? 'groups.errors.none' : 'list.empty')}
        </p>
      )}
      {rows.some((row) => !isRanked(row)) && (
        <p className="quiet">{t('groups.floor', { least: leastRanked })}</p>
      )}
      <Attribution dimension={dimension} />
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
    </div>
  );
}
