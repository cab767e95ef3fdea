import { Explained } from '../frame/explained.tsx';
import { useReader } from '../language.tsx';

interface ChartLegendProps {
  /** What the line of the page is of. */
  readonly name: string;
  /** What the line beside it is of. */
  readonly other: string | undefined;
  readonly hasBefore: boolean;
  readonly hasUsual: boolean;
  /** Whether its last interval is not over yet. */
  readonly isRunning: boolean;
}

/** What the lines are. */
export function ChartLegend(props: ChartLegendProps) {
  const { name, other, hasBefore, hasUsual, isRunning } = props;
  const { t } = useReader();
  return (
    <div className="legend chart-legend">
      <span className="key-audience" dir="auto">
        {name}
      </span>
      {isRunning && <span className="key-running">{t('chart.running')}</span>}
      {hasBefore && <span className="key-before">{t('compare.before')}</span>}
      {other !== undefined && (
        <span className="key-second" dir="auto">
          {other}
        </span>
      )}
      {hasUsual && (
        <Explained name={t('usual.name')} about={<p>{t('usual.what')}</p>}>
          <span className="key-usual">{t('usual.name')}</span>
        </Explained>
      )}
    </div>
  );
}
