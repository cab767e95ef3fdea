/** Who is watching at this moment. It moves by itself. */
import { useQuery } from '@tanstack/react-query';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { AnswerCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Explained } from '../frame/explained.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { useReader } from '../language.tsx';
import { headlines } from '../measures.ts';
import { Complete } from '../overview/about.tsx';
import { FigureCells } from '../overview/figures.tsx';
import { type Live, live, liveCsv } from '../questions.ts';
import { qualityPath } from '../statistics.ts';
import { useThumbnails } from '../thumbnails.ts';

const everyMs = 5_000;
/** The interface lists no more. */
const mostListed = 20;

export function NowPage() {
  const { t, formats } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['live'],
    queryFn: ({ signal }) => live(signal),
    refetchInterval: everyMs,
  });
  return (
    <>
      <PageHead title={t('nav.now')} detail={t('now.what')} />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <section className="panel now" aria-label={t('now.playing')}>
            <div className="now-count">
              <strong data-now>{formats.number(data.playing)}</strong>
              <Explained name={t('now.playing')} about={<AboutPlaying asOf={data.asOf} />}>
                {t('now.playing')}
              </Explained>
            </div>
            <LastMinutes data={data} />
          </section>
          <Playing data={data} />
          <QualityNow data={data} />
        </>
      )}
    </>
  );
}

function AboutPlaying({ asOf }: Pick<Live, 'asOf'>) {
  const { t } = useReader();
  return (
    <>
      <p>{t('now.playing.what')}</p>
      <Complete through={new Date(asOf)} />
    </>
  );
}

function LastMinutes({ data }: { readonly data: Live }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const name = t('now.peaks');
  const { lastMinutes: minutes, asOf } = data;
  const heads = [t('now.minute'), name];
  const points = minutes.map(({ time, peak }) => {
    const clock = formats.clock(time, timeZone);
    return { label: time, short: clock, long: clock, value: peak };
  });
  return (
    <div>
      <PanelHead
        title={name}
        about={
          <>
            <p>{t('now.peaks.what')}</p>
            <Complete through={new Date(asOf)} />
          </>
        }
        files={
          <>
            <AnswerCsvButton name="now" ask={() => liveCsv('lastMinutes')} />
            <PictureButtons title={name} name="now" lines={[formats.clock(asOf, timeZone)]} />
          </>
        }
      />
      <TimeChart name={name} unit="count" points={points} height={200} />
      <TableOf
        caption={name}
        heads={heads}
        rows={() =>
          minutes.map(({ time, peak }) => [formats.clock(time, timeZone), formats.number(peak)])
        }
      />
    </div>
  );
}

function QualityNow({ data: { quality, asOf } }: { readonly data: Live }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { since, qualityBasis, ...totals } = quality;
  const time = formats.clock(since, timeZone);
  const shown = { data: { totals, qualityBasis, completeThrough: new Date(asOf) } };
  const title = t('now.quality', { time });
  return (
    <section className="panel quality-part" aria-label={title}>
      <PanelHead title={title}>
        <Link href={`${qualityPath}?period=today`}>{t('quality.open')}</Link>
      </PanelHead>
      {qualityBasis.attempts === 0 ? (
        <p className="quiet">
          {t('now.quality.none', { time })}{' '}
          <a href="/docs/guide/players#who-tells-what">{t('quality.none.link')}</a>
        </p>
      ) : (
        <FigureCells
          {...{ measures: headlines, queryOf: () => shown, queries: [shown] }}
          accessKey={undefined}
        />
      )}
    </section>
  );
}

function Playing({ data: { videos, asOf } }: { readonly data: Live }) {
  const { t, formats } = useReader();
  const largest = Math.max(0, ...videos.map(({ playing }) => playing));
  const thumbnails = useThumbnails(videos.map(({ video }) => video));
  return (
    <section className="panel" aria-label={t('now.byVideo')}>
      <PanelHead
        title={t('now.byVideo')}
        about={
          <>
            <p>{t('now.playing.what')}</p>
            <p>{t('now.most', { count: formats.number(mostListed) })}</p>
            <Complete through={new Date(asOf)} />
          </>
        }
        files={<AnswerCsvButton name="now-by-video" ask={() => liveCsv('videos')} />}
      />
      {videos.length === 0 && (
        <p className="quiet empty">
          {t('now.nobody')} <Link href="/">{t('nav.overview')}</Link>
        </p>
      )}
      {videos.length >= mostListed && (
        <p className="quiet">{t('now.most', { count: formats.number(mostListed) })}</p>
      )}
      <ol className="rows">
        {videos.map(({ video, videoTitle, playing }) => (
          <li className="row" key={video}>
            <svg className="bar" preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true">
              <rect width={(playing / largest) * 100} height="1" />
            </svg>
            {thumbnails && <Thumbnail url={thumbnails.get(video)} />}
            <Link className="row-name" dir="auto" href={`/videos/${encodeURIComponent(video)}`}>
              {videoTitle || video}
            </Link>
            <span className="row-value">{formats.number(playing)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
