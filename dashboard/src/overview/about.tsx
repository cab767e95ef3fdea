/** What a figure means, of which views it is known, and until when it is complete. */
import { Fragment } from 'react';
import type { QualityBasis, ViewerBasis } from '../../../client/src/index.ts';
import type { Dimension } from '../filters/dimensions.ts';
import { usePerson } from '../frame/person.tsx';
import { type MessageName, useReader } from '../language.tsx';
import { type ChartMeasure, isOfQuality } from '../measures.ts';
import type { Answer } from '../questions.ts';
import { parametersOf, useAnswer, useSchema, useView } from '../statistics.ts';

interface AboutMeasureProps {
  readonly measure: ChartMeasure;
  readonly answer: Partial<Answer> | undefined;
  readonly accessKey: string | undefined;
}

export function AboutMeasure({ measure, answer, accessKey }: AboutMeasureProps) {
  const { t } = useReader();
  const { data: schema } = useSchema();
  const since = schema?.measures.find(({ name }) => name === measure)?.since;
  return (
    <>
      <p>{t(`measure.${measure}.what`)}</p>
      {measure === 'averageSeen' && <Positions accessKey={accessKey} />}
      {measure === 'viewers' && answer?.viewerBasis && <Viewers basis={answer.viewerBasis} />}
      {answer?.qualityBasis && <OfQuality basis={answer.qualityBasis} />}
      {measure !== 'averageSeen' && measure !== 'viewers' && !isOfQuality(measure) && (
        <p>{t('about.all')}</p>
      )}
      <Since instant={since} />
      {measure !== 'averageSeen' && <Complete through={answer?.completeThrough} />}
    </>
  );
}

interface AboutDimensionProps {
  readonly dimension: Dimension;
  readonly accessKey: string | undefined;
}

export function AboutDimension({ dimension, accessKey }: AboutDimensionProps) {
  const { t } = useReader();
  const { data: schema } = useSchema();
  const { name, label, what } = dimension;
  const since = schema?.dimensions.find((one) => one.name === name)?.since;
  return (
    <>
      <p>{t(what)}</p>
      {dimension.isUnfiltered ? null : label === undefined ? (
        <Known name={name} accessKey={accessKey} />
      ) : (
        <AllKnown accessKey={accessKey} />
      )}
      <Since instant={since} />
    </>
  );
}

/** How many views reported a position, and until when all is counted. */
export function Positions({ accessKey }: { readonly accessKey: string | undefined }) {
  const { view } = useView();
  const data = useAnswer({
    ...parametersOf({ ...view, compare: 'none' }),
    ...{ accessKey, measures: ['views', 'positionedViews'] },
  });
  const { views, positionedViews } = data?.totals ?? {};
  return (
    <>
      <KnownOf text="about.positions" known={positionedViews} of={views} />
      <Complete through={data?.completeThrough} />
    </>
  );
}

/** What was played is known of every view. */
function AllKnown({ accessKey }: Pick<AboutDimensionProps, 'accessKey'>) {
  const { t } = useReader();
  const { view } = useView();
  const parameters = parametersOf({ ...view, compare: 'none' });
  const data = useAnswer({ ...parameters, accessKey, measures: ['views'] });
  return (
    <>
      <p>{t('about.all')}</p>
      <Complete through={data?.completeThrough} />
    </>
  );
}

function Known({ name, accessKey }: Pick<AboutDimensionProps, 'accessKey'> & { name: string }) {
  const { view } = useView();
  const all = { ...view, compare: 'none' } as const;
  const isKnown = { name, operator: '!=', values: ['Unknown'] } as const;
  const ask = { accessKey, measures: ['views'] } as const;
  const data = useAnswer({ ...parametersOf(all), ...ask });
  const known = useAnswer({ ...parametersOf(all, [...view.filters, isKnown]), ...ask });
  return (
    <>
      <KnownOf text="about.known" known={known?.totals.views} of={data?.totals.views} />
      <Complete through={data?.completeThrough} />
    </>
  );
}

function OfQuality({ basis: { attempts, views } }: { readonly basis: QualityBasis }) {
  return <KnownOf text="about.quality" known={attempts} of={views} />;
}

function Viewers({ basis: { named, daily, none } }: { readonly basis: ViewerBasis }) {
  const { formats } = useReader();
  const [known, of] = [named + daily, named + daily + none];
  const counts = { named, daily, none };
  const written = Object.entries(counts).map(([name, count]) => [name, formats.number(count)]);
  return (
    <KnownOf text="about.viewers" known={known} of={of} values={Object.fromEntries(written)} />
  );
}

interface KnownOfProps {
  readonly text: MessageName;
  /** Undefined until it is known. */
  readonly known: number | undefined;
  readonly of: number | undefined;
  readonly values?: Readonly<Record<string, string>>;
}

function KnownOf({ text, known, of, values = {} }: KnownOfProps) {
  const { t, formats } = useReader();
  if (known === undefined || of === undefined) return null;
  if (of === 0) return <p>{t('about.noViews')}</p>;
  const shown = {
    share: formats.share(known / of),
    known: formats.number(known),
    of: formats.number(of),
  };
  return <p data-known={known}>{t(text, { ...shown, ...values })}</p>;
}

/** Where it began to be collected within what is shown. */
function Since({ instant }: { readonly instant: string | undefined }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { view } = useView();
  if (instant === undefined || instant.slice(0, 10) <= view.from) return <Fragment />;
  return <p>{t('about.since', { time: formats.instant(instant, timeZone) })}</p>;
}

export function Complete({ through }: { readonly through: Date | undefined }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  if (through === undefined || Number.isNaN(through.getTime())) return null;
  return <p>{t('about.complete', { time: formats.moment(through, timeZone) })}</p>;
}
