/** How far people watch, beside the film: each moves the other. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { TableOf } from '../charts/table-of.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useReader } from '../language.tsx';
import { type Retention, retention } from '../questions.ts';
import { parametersOf, useView } from '../statistics.ts';
import { Film } from './film.tsx';
import { leavingPlaces } from './leaving-places.ts';
import { RetentionChart } from './retention-chart.tsx';

interface RetentionPanelProps {
  readonly accessKey: string;
  readonly title: string;
  /** 0: the catalog does not have it; undefined: this person may not see it. */
  readonly lengthMs: number | undefined;
}

export function RetentionPanel({ accessKey, title, lengthMs }: RetentionPanelProps) {
  const { t } = useReader();
  const { view } = useView();
  const film = useRef<HTMLVideoElement>(null);
  const [playedMs, setPlayedMs] = useState<number>();
  const { compare: _, ...parameters } = parametersOf(view);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['retention', accessKey, parameters],
    queryFn: ({ signal }) => retention({ ...parameters, accessKey }, signal),
    placeholderData: keepPreviousData,
    // It is cut into parts of its length.
    enabled: lengthMs !== 0,
  });
  const seek = (ms: number) => {
    if (film.current) film.current.currentTime = ms / 1_000;
  };
  return (
    <section className="panel retention" aria-label={t('retention.name')}>
      <div className="panel-head">
        <h2>{t('retention.name')}</h2>
      </div>
      {error && <ErrorNote error={error} retry={refetch} />}
      <div className="retention-body" aria-busy={isPlaceholderData}>
        <Film ref={film} accessKey={accessKey} title={title} onTime={setPlayedMs} />
        {lengthMs === 0 && <p className="quiet empty">{t('retention.noLength')}</p>}
        {data && <Curve data={data} playedMs={playedMs} onSeek={seek} />}
      </div>
    </section>
  );
}

interface CurveProps {
  readonly data: Retention;
  readonly playedMs: number | undefined;
  readonly onSeek: (ms: number) => void;
}

function Curve({ data, playedMs, onSeek }: CurveProps) {
  const { t, formats } = useReader();
  if (data.positionedViews === 0) {
    return (
      <p className="quiet empty">{t(data.views === 0 ? 'retention.none' : 'retention.blind')}</p>
    );
  }
  const left = leavingPlaces(data);
  return (
    <div>
      <p className="quiet">
        {t('retention.basis', {
          views: formats.number(data.positionedViews),
          of: formats.number(data.views),
        })}
      </p>
      <RetentionChart data={data} playedMs={playedMs} onSeek={onSeek} />
      {left.length > 0 && (
        <p>
          {t('retention.leave')}{' '}
          {left.map(({ part, lost }) => (
            <button
              key={part.part}
              type="button"
              className="chip"
              onClick={() => onSeek(part.fromMs)}
            >
              {formats.position(part.fromMs)} <strong>−{formats.share(lost)}</strong>
            </button>
          ))}
        </p>
      )}
      <TableOf
        caption={t('retention.name')}
        heads={[t('retention.part'), t('retention.audience'), t('retention.watched')]}
        rows={() =>
          data.list.map(({ fromMs, toMs, audience, watched }) => [
            `${formats.position(fromMs)}–${formats.position(toMs)}`,
            formats.number(audience),
            formats.number(watched),
          ])
        }
      />
    </div>
  );
}
