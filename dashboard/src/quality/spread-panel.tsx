/** How long starting takes, as a histogram. */
import { useQuery } from '@tanstack/react-query';
import { type Bar, Histogram } from '../charts/histogram.tsx';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import { AnswerCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { keptAnswer } from '../kept-answer.ts';
import { useReader } from '../language.tsx';
import { usePicture } from '../overview/use-picture.ts';
import { type Distribution, distribution, distributionCsv } from '../questions.ts';
import { parametersOf, useView } from '../statistics.ts';
import { placeOf, roundValue, shownBuckets } from './spread-bars.ts';

interface SpreadPanelProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function SpreadPanel(props: SpreadPanelProps) {
  const { t } = useReader();
  return (
    <section className="panel" aria-label={t('spread.title')}>
      <SpreadPart {...props} />
    </section>
  );
}

/** In a panel, which may show more. */
export function SpreadPart({ accessKey, title }: SpreadPanelProps) {
  const { t } = useReader();
  const { view } = useView();
  const { compare: _, ...range } = parametersOf(view);
  const parameters = { ...range, accessKey, measure: 'startupMs' } as const;
  const { data, error, refetch, isLoading, isPlaceholderData } = useQuery({
    queryKey: ['distribution', parameters],
    queryFn: ({ signal }) => distribution(parameters, signal),
    placeholderData: (last) => keptAnswer(last, accessKey),
  });
  const name = t('spread.title');
  const picture = usePicture(name, 'startup', { title, asked: data?.asked });
  return (
    <div className="spread" aria-busy={isLoading || isPlaceholderData}>
      <PanelHead
        title={name}
        about={<p>{t('spread.what')}</p>}
        files={
          <>
            <AnswerCsvButton
              name={`startup-${view.from}-${view.to}`}
              ask={() => distributionCsv(parameters)}
            />
            <PictureButtons {...picture} />
          </>
        }
      />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      {data?.views === 0 ? (
        <p className="quiet empty">{t('spread.none')}</p>
      ) : (
        <Spread name={name} data={data} />
      )}
    </div>
  );
}

interface SpreadProps {
  readonly name: string;
  /** Undefined: on its way. */
  readonly data: Distribution | undefined;
}

function Spread({ name, data }: SpreadProps) {
  const { t, formats } = useReader();
  const buckets = shownBuckets(data?.list ?? []);
  const bars = buckets.map((bucket): Bar => {
    const { from, to, views } = bucket;
    const [shownFrom, shownTo] = [formats.wait(from), formats.wait(to ?? 0)];
    const round = roundValue(bucket);
    return {
      name:
        to === null
          ? t('spread.above', { from: shownFrom })
          : t('spread.range', { from: shownFrom, to: shownTo }),
      count: views,
      label: round === undefined ? undefined : formats.wait(round),
    };
  });
  const of = data?.views ?? 0;
  const shareOf = (count: number) => formats.share(of === 0 ? 0 : count / of);
  const describe = ({ name, count }: Bar) =>
    t('spread.at', { range: name, count: formats.number(count), share: shareOf(count) });
  const marks = (['half', 'most'] as const).flatMap((which) => {
    const value = which === 'half' ? data?.p50 : data?.p95;
    if (value === null || value === undefined) return [];
    const text = t(`spread.${which}`, { time: formats.wait(value) });
    return [{ place: placeOf(value, buckets), text }];
  });
  return (
    <>
      <Histogram {...{ name, bars, marks, describe }} />
      <TableOf
        caption={name}
        heads={[t('spread.time'), t('spread.starts'), t('retention.share')]}
        rows={() => bars.map(({ name, count }) => [name, formats.number(count), shareOf(count)])}
      />
    </>
  );
}
