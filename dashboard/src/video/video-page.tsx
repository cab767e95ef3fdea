import { useQuery } from '@tanstack/react-query';
import { PlaymeterError } from '../../../client/src/index.ts';
import { cards } from '../filters/dimensions.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { DrawnLater } from '../frame/drawn-later.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { AfterFigures } from '../overview/after-figures.tsx';
import { Figures } from '../overview/figures.tsx';
import { LabelList } from '../overview/label-list.tsx';
import { MainChart } from '../overview/main-chart.tsx';
import { NothingPlayed } from '../overview/nothing-played.tsx';
import { PeriodControls } from '../overview/period-controls.tsx';
import { TopList } from '../overview/top-list.tsx';
import { useComparedText } from '../overview/use-compared-text.ts';
import { useFiguresFailed } from '../overview/use-figures.ts';
import { WeekMap } from '../overview/week-map.tsx';
import { QualityPart } from '../quality/quality-part.tsx';
import { server } from '../server.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import { useView } from '../statistics.ts';
import { Viewers } from '../viewers/viewers.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { VideoDetails } from './video-details.tsx';

/** Of one film nobody asks which film it is; so the others go together otherwise. */
const shown = (['sources', 'devices', 'places'] as const).flatMap((wanted) =>
  cards.filter(({ place }) => place === wanted),
);

export function VideoPage({ accessKey }: { readonly accessKey: string }) {
  const { t, formats } = useReader();
  const { scopes, shared } = usePerson();
  const { view } = useView();
  const canManage = scopes.includes('manage');
  const {
    data: video,
    error,
    refetch,
  } = useQuery({
    queryKey: ['video', accessKey],
    queryFn: ({ signal }) => server.manage.video(accessKey, { signal }),
    enabled: canManage,
  });
  const isGone = error instanceof PlaymeterError && error.code === 'NOT_FOUND';
  const isFailed = useFiguresFailed(accessKey);
  const compared = useComparedText();
  const title = video?.title || shared?.video?.title || accessKey;
  return (
    <>
      <PageHead
        title={shared?.name ?? title}
        detail={
          <>
            {shared ? title : <Link href="/library">{t('nav.library')}</Link>}
            {` · ${formats.range(view.from, view.to)}${compared}`}
          </>
        }
      >
        {!shared && <PeriodControls />}
        <ShareButton title={title} accessKey={accessKey} />
      </PageHead>
      {isGone && (
        <div className="note">
          <p>{t('video.gone')}</p>
          <Link href="/library">{t('nav.library')}</Link>
        </div>
      )}
      {error && !video && !isGone && !isFailed && <ErrorNote error={error} retry={refetch} />}
      <FilterBar accessKey={accessKey} />
      <DrawnLater>
        {!isGone && <NothingPlayed accessKey={accessKey} />}
        {(video || !canManage) && (
          <RetentionPanel
            accessKey={accessKey}
            title={title}
            lengthMs={video?.duration ?? shared?.video?.lengthMs}
            thumbnailUrl={video?.thumbnailUrl}
          />
        )}
        <Figures accessKey={accessKey} />
        <MainChart accessKey={accessKey} title={title} />
        {video && <VideoDetails video={video} />}
        <AfterFigures accessKey={accessKey}>
          <Viewers accessKey={accessKey} />
          <QualityPart accessKey={accessKey} title={title} />
          <div className="cards">
            {shown.map((card) => (
              <TopList key={card.name} card={card} accessKey={accessKey} />
            ))}
            <LabelList accessKey={accessKey} />
          </div>
          <WeekMap accessKey={accessKey} title={title} />
        </AfterFigures>
      </DrawnLater>
    </>
  );
}
