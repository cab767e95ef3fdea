/** How far people watch, beside the film: each moves the other. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { keptAnswer } from '../kept-answer.ts';
import { useReader } from '../language.tsx';
import { Positions } from '../overview/about.tsx';
import { retention } from '../questions.ts';
import { parametersOf, useView } from '../statistics.ts';
import { Film } from './film.tsx';
import { MissingLength } from './missing-length.tsx';
import { RetentionChoice } from './retention-choice.tsx';
import { RetentionCurves } from './retention-curves.tsx';
import { RetentionFiles } from './retention-files.tsx';
import { type RetentionSide, useRetentionSides } from './retention-sides.ts';

/** What the interface cuts a film into by itself, and at most. */
const leastParts = 100;
const mostParts = 1_000;

interface RetentionPanelProps {
  readonly accessKey: string;
  readonly title: string;
  /** 0: the catalog does not have it; undefined: this person may not see it. */
  readonly lengthMs: number | undefined;
  /** '' if it has no picture; undefined: this person may not see it. */
  readonly thumbnailUrl: string | undefined;
}

export function RetentionPanel(props: RetentionPanelProps) {
  const { accessKey, title, lengthMs, thumbnailUrl } = props;
  const { t } = useReader();
  const { shared } = usePerson();
  const film = useRef<HTMLVideoElement>(null);
  const [playedMs, setPlayedMs] = useState<number>();
  const sides = useRetentionSides(accessKey);
  // It is cut into parts of its length.
  const isCut = lengthMs !== 0;
  const parts = partsOf(lengthMs);
  const one = useCurve(accessKey, sides.one, parts, isCut);
  const other = useCurve(accessKey, sides.other, parts, isCut && sides.other !== undefined);
  const compared = sides.other === undefined ? undefined : other.data;
  // With the last curve still there, the note of the page says it.
  const [failed] = [one, ...(sides.other ? [other] : [])].filter(
    ({ error, data }) => error && !data,
  );
  const seek = (ms: number) => {
    if (film.current) film.current.currentTime = ms / 1_000;
  };
  const curveOf = (data: NonNullable<typeof compared>) => ({ ...sides.sideOf(data.asked), data });
  const curves = one.data && {
    one: curveOf(one.data),
    ...(compared && { other: curveOf(compared) }),
  };
  const old = [one, other].find(({ isPlaceholderData }) => isPlaceholderData)?.data;
  return (
    <section className="panel retention" aria-label={t('retention.name')}>
      <PanelHead
        title={t('retention.name')}
        about={
          <>
            <p>{t('retention.what')}</p>
            <Positions accessKey={accessKey} />
          </>
        }
        files={curves && <RetentionFiles {...{ accessKey, curves, title }} />}
      >
        {/* A share has its own days. */}
        {!shared && <RetentionChoice accessKey={accessKey} sides={sides} />}
      </PanelHead>
      {failed && <ErrorNote error={failed.error} retry={failed.refetch} />}
      <OldDates of={old?.asked} />
      <div className="retention-body" aria-busy={isOnWay(one) || isOnWay(other)}>
        {lengthMs === 0 && <MissingLength accessKey={accessKey} />}
        {curves && <RetentionCurves curves={curves} playedMs={playedMs} onSeek={seek} />}
        {/* The room of the curve, so that the film stays in its place once it comes. */}
        {lengthMs !== 0 && !curves && !failed && <div className="curve-room" />}
        <Film ref={film} {...{ accessKey, title, thumbnailUrl }} onTime={setPlayedMs} />
      </div>
    </section>
  );
}

function isOnWay({ isLoading, isPlaceholderData }: ReturnType<typeof useCurve>): boolean {
  return isLoading || isPlaceholderData;
}

/** A second each, as far as the interface goes; of a short film they are shorter. */
function partsOf(lengthMs: number | undefined): number | undefined {
  if (lengthMs === undefined) return undefined;
  return Math.max(leastParts, Math.min(mostParts, Math.ceil(lengthMs / 1_000)));
}

function useCurve(
  ofPage: string,
  side: RetentionSide | undefined,
  parts: number | undefined,
  enabled: boolean,
) {
  const { view } = useView();
  const { filters } = parametersOf(view);
  const { sdate = view.from, edate = view.to, packageId } = side ?? {};
  const { accessKey = ofPage } = side ?? {};
  const parameters = { accessKey, sdate, edate, packageId, filters, parts };
  return useQuery({
    queryKey: ['retention', parameters],
    queryFn: ({ signal }) => retention(parameters, signal),
    placeholderData: (last) => keptAnswer(last, accessKey),
    enabled,
  });
}
