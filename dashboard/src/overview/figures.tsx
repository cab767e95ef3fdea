/** The measures of the whole range beside those of the period before; a click charts one. */
import { useId, useState } from 'react';
import { ErrorNote } from '../frame/error-note.tsx';
import { ExplainButton } from '../frame/explain-button.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { useReader } from '../language.tsx';
import { drawnValue, type Measure, measures, seenMeasure, unitOf } from '../measures.ts';
import type { Answer } from '../questions.ts';
import { useView } from '../statistics.ts';
import { AboutMeasure } from './about.tsx';
import { changeOf } from './change-of.ts';
import { useAskAgain, useFigures, useSeen } from './use-figures.ts';

export function Figures({ accessKey }: { readonly accessKey?: string }) {
  const { t } = useReader();
  const about = useId();
  const [explained, explain] = useState<Measure>();
  const figures = useFigures(accessKey);
  const seen = useSeen(accessKey);
  const queryOf = (measure: Measure) => (measure === seenMeasure ? seen : figures);
  const askAgain = useAskAgain();
  const { error, data } = figures;
  if (error && !data) {
    return (
      <section aria-label={t('figures.label')}>
        <ErrorNote error={error} retry={askAgain} />
      </section>
    );
  }
  const old = [figures, seen].find((one) => one.isPlaceholderData);
  const isBusy = [figures, seen].some((one) => one.isPending || one.isPlaceholderData);
  return (
    <section className="figures" aria-label={t('figures.label')} aria-busy={isBusy}>
      {measures.map((measure) => (
        <div
          key={measure}
          className="figure-cell"
          data-old={queryOf(measure).isPlaceholderData || undefined}
        >
          <Figure measure={measure} answer={queryOf(measure).data} />
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
      {seen.error && !seen.data && (
        <div className="about">
          <ErrorNote error={seen.error} retry={seen.refetch} />
        </div>
      )}
      <OldDates of={old?.data?.asked} />
    </section>
  );
}

interface FigureProps {
  readonly measure: Measure;
  readonly answer: Answer | undefined;
}

function Figure({ measure, answer }: FigureProps) {
  const { t, formats } = useReader();
  const { view, change } = useView();
  const unit = unitOf[measure];
  const value = drawnValue(answer?.totals, measure);
  const before = drawnValue(answer?.totals.previous, measure);
  return (
    <button
      type="button"
      className="figure"
      aria-pressed={view.measure === measure}
      onClick={() => change({ measure })}
    >
      <span className="figure-name">{t(`measure.${measure}`)}</span>
      <span className="figure-value" data-measure={measure}>
        {answer === undefined ? '\u00a0' : formats.measure(value, unit)}
      </span>
      {measure === seenMeasure && <Basis answer={answer} />}
      {view.compare !== 'none' && <Change value={value} before={before} />}
    </button>
  );
}

/** The views on which a share rests: those that reported a position. */
function Basis({ answer }: Pick<FigureProps, 'answer'>) {
  const { t, formats } = useReader();
  const { positionedViews, views } = answer?.totals ?? {};
  if (positionedViews === undefined || views === undefined) return null;
  const [known, of] = [formats.number(positionedViews), formats.number(views)];
  const isAll = positionedViews === views;
  return (
    <span className="figure-basis">
      {isAll ? t('measure.averageSeen.all') : t('measure.averageSeen.basis', { known, of })}
    </span>
  );
}

interface ChangeProps {
  readonly value: number | null | undefined;
  readonly before: number | null | undefined;
}

export function Change({ value, before }: ChangeProps) {
  const { t, formats } = useReader();
  const change = changeOf(value, before);
  if (change === undefined) return <span className="change">{'\u00a0'}</span>;
  // As it is written: no arrow before 0 %.
  const percent = Math.round(change * 100);
  const kind = percent > 0 ? 'up' : percent < 0 ? 'down' : 'same';
  const arrow = { up: '↑', down: '↓', same: '' }[kind];
  return (
    <span className={`change ${kind}`}>
      <span aria-hidden="true">{arrow} </span>
      {formats.change(change)}
      <span className="hidden"> {t('compare.against')}</span>
    </span>
  );
}
