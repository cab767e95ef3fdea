/** Who is watching at this moment. It moves by itself. */
import { useQuery } from '@tanstack/react-query';
import { TableOf } from '../charts/table-of.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useReader } from '../language.tsx';
import { type Live, live } from '../questions.ts';

const everyMs = 5_000;

export default function NowPage() {
  const { t, formats } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['live'],
    queryFn: ({ signal }) => live(signal),
    refetchInterval: everyMs,
  });
  return (
    <>
      <PageHead title={t('nav.now')} detail={t('now.what')} />
      {error && <ErrorNote error={error} retry={refetch} />}
      {data && (
        <>
          <section className="panel now" aria-label={t('now.playing')}>
            <p className="now-count">
              <strong data-now>{formats.number(data.playing)}</strong>
              <span>{t('now.playing')}</span>
            </p>
            <LastMinutes minutes={data.lastMinutes} />
          </section>
          <Playing videos={data.videos} />
        </>
      )}
    </>
  );
}

function LastMinutes({ minutes }: { readonly minutes: Live['lastMinutes'] }) {
  const { t, formats } = useReader();
  const name = t('now.peaks');
  const points = minutes.map(({ time, peak }) => {
    const clock = formats.clock(time);
    return { short: clock, long: clock, value: peak };
  });
  return (
    <div>
      <h2>{name}</h2>
      <TimeChart name={name} unit="count" points={points} height={200} />
      <TableOf
        caption={name}
        heads={[t('now.minute'), name]}
        rows={() => minutes.map(({ time, peak }) => [formats.clock(time), formats.number(peak)])}
      />
    </div>
  );
}

function Playing({ videos }: { readonly videos: Live['videos'] }) {
  const { t, formats } = useReader();
  const largest = Math.max(0, ...videos.map(({ playing }) => playing));
  return (
    <section className="panel" aria-label={t('now.byVideo')}>
      <div className="panel-head">
        <h2>{t('now.byVideo')}</h2>
      </div>
      {videos.length === 0 && <p className="quiet empty">{t('now.nobody')}</p>}
      <ol className="rows">
        {videos.map(({ video, videoTitle, playing }) => (
          <li className="row" key={video}>
            <svg className="bar" preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true">
              <rect width={(playing / largest) * 100} height="1" />
            </svg>
            <Link className="row-name" href={`/videos/${encodeURIComponent(video)}`}>
              {videoTitle || video}
            </Link>
            <span className="row-value">{formats.number(playing)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
