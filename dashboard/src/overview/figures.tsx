/** The measures of the whole range beside those of the period before; a click charts one. */
import { type ReactNode, useId, useState } from 'react';
import { Change } from '../frame/change.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { ExplainButton } from '../frame/explain-button.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { useReader } from '../language.tsx';
import {
  type ChartMeasure,
  drawnValue,
  headlines,
  isBetterLess,
  isOfQuality,
  leastViewsOfShare,
  measures,
  seenMeasure,
  unitOf,
} from '../measures.ts';
import type { Answer } from '../questions.ts';
import { useView } from '../statistics.ts';
import { AboutMeasure } from './about.tsx';
import { useAskAgain, useFigures, useShareSeen } from './use-figures.ts';

type ShownAnswer = Pick<Answer, 'totals' | 'completeThrough'> & Partial<Answer>;

/** A question, or what stands for one. */
interface Shown {
  readonly data: ShownAnswer | undefined;
  readonly isLoading?: boolean;
  readonly isPlaceholderData?: boolean;
}

export function Figures({ accessKey }: { readonly accessKey?: string }) {
  const { t } = useReader();
  const { view, change } = useView();
  const figures = useFigures(accessKey);
  const seen = useShareSeen(accessKey);
  const askAgain = useAskAgain();
  const { error, data } = figures;
  if (error && !data) {
    return (
      <section aria-label={t('figures.label')}>
        <ErrorNote error={error} retry={askAgain} />
      </section>
    );
  }
  const ofQuality = isOfQuality(view.measure);
  return (
    <FigureCells
      measures={ofQuality ? headlines : measures}
      queryOf={(measure) => (measure === seenMeasure ? seen : figures)}
      queries={ofQuality ? [figures] : [figures, seen]}
      chosen={view.measure}
      onChoose={(measure) => change({ measure })}
      accessKey={accessKey}
    >
      {seen.error && !seen.data && (
        <div className="about">
          <ErrorNote error={seen.error} retry={seen.refetch} />
        </div>
      )}
    </FigureCells>
  );
}

interface FigureCellsProps {
  readonly measures: readonly ChartMeasure[];
  readonly queryOf: (measure: ChartMeasure) => Shown;
  readonly queries: readonly Shown[];
  /** The one that is charted, and what charts another; by default none is. */
  readonly chosen?: ChartMeasure;
  readonly onChoose?: (measure: ChartMeasure) => void;
  readonly accessKey: string | undefined;
  readonly children?: ReactNode;
}

export function FigureCells(props: FigureCellsProps) {
  const { measures, queryOf, queries, chosen, onChoose, accessKey, children } = props;
  const { t } = useReader();
  const about = useId();
  const [explained, explain] = useState<ChartMeasure>();
  const old = queries.find((one) => one.isPlaceholderData);
  const isBusy = queries.some((one) => one.isLoading || one.isPlaceholderData);
  return (
    <section
      className={measures === headlines ? 'figures six' : 'figures'}
      aria-label={t(onChoose ? 'figures.label' : 'quality.figures')}
      aria-busy={isBusy}
    >
      {measures.map((measure) => (
        <div
          key={measure}
          className="figure-cell"
          data-old={queryOf(measure).isPlaceholderData || undefined}
        >
          <Figure
            {...{ measure, answer: queryOf(measure).data, onChoose }}
            isChosen={measure === chosen}
          />
          <ExplainButton
            name={t(`measure.${measure}`)}
            controls={about}
            isOpen={explained === measure}
            onToggle={() => explain(explained === measure ? undefined : measure)}
          />
        </div>
      ))}
      {explained !== undefined && (
        <div className="about" id={about} role="note" aria-label={t(`measure.${explained}`)}>
          <strong>{t(`measure.${explained}`)}</strong>
          <AboutMeasure
            measure={explained}
            answer={queryOf(explained).data}
            accessKey={accessKey}
          />
        </div>
      )}
      {children}
      <OldDates of={old?.data?.asked} />
    </section>
  );
}

interface FigureProps {
  readonly measure: ChartMeasure;
  readonly answer: ShownAnswer | undefined;
  readonly isChosen: boolean;
  readonly onChoose: FigureCellsProps['onChoose'];
}

function Figure({ measure, answer, isChosen, onChoose }: FigureProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const unit = unitOf[measure];
  const value = drawnValue(answer?.totals, measure);
  const before = drawnValue(answer?.totals.previous, measure);
  const isCompared =
    view.compare !== 'none' && (answer === undefined || answer.totals.previous !== undefined);
  const shown = (
    <>
      <span className="figure-name">{t(`measure.${measure}`)}</span>
      <span className="figure-value" data-measure={measure}>
        {answer === undefined ? '\u00a0' : formats.measure(value, unit)}
      </span>
      {measure === seenMeasure && <Basis answer={answer} />}
      {isOfQuality(measure) && <QualityBasis answer={answer} />}
      {isCompared && <Change value={value} before={before} isBetterLess={isBetterLess(measure)} />}
    </>
  );
  if (onChoose === undefined) return <div className="figure">{shown}</div>;
  return (
    <button
      type="button"
      className="figure"
      aria-pressed={isChosen}
      onClick={() => onChoose(measure)}
    >
      {shown}
    </button>
  );
}

/** The views on which a share rests: those that reported a position, read a moment after all. */
function Basis({ answer }: Pick<FigureProps, 'answer'>) {
  const { t, formats } = useReader();
  const { positionedViews, views } = answer?.totals ?? {};
  if (positionedViews === undefined || views === undefined) return null;
  const [known, of] = [formats.number(positionedViews), formats.number(views)];
  const kind =
    positionedViews < leastViewsOfShare ? 'few' : positionedViews >= views ? 'all' : 'basis';
  return <span className="figure-basis">{t(`measure.averageSeen.${kind}`, { known, of })}</span>;
}

/** The views whose player reports how long it waits. */
function QualityBasis({ answer }: Pick<FigureProps, 'answer'>) {
  const { t, formats } = useReader();
  if (answer?.qualityBasis === undefined) return null;
  const { attempts, views } = answer.qualityBasis;
  const [known, of] = [formats.number(attempts), formats.number(views)];
  return (
    <span className="figure-basis" data-basis>
      {attempts === views ? t('quality.basisAll', { of }) : t('quality.basis', { known, of })}
    </span>
  );
}
