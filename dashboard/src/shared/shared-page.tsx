/** What whoever has the link of a share sees, also in a frame on another site. */
import { useQuery } from '@tanstack/react-query';
import { PlaymeterError, type SharedView } from '../../../client/src/index.ts';
import { Brand } from '../frame/brand.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PersonProvider } from '../frame/person.tsx';
import { Preferences } from '../frame/preferences.tsx';
import { StaleNote } from '../frame/stale-note.tsx';
import { useReader } from '../language.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';
import { PageUrlContext, useLocation } from '../page-url.ts';
import { server } from '../server.ts';
import { VideoPage } from '../video/video-page.tsx';

/** Its days move at midnight; it may be revoked. */
const rereadMs = 60_000;

export function SharedPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['shared-view'],
    queryFn: ({ signal }) => server.dashboard.sharedView({ signal }),
    refetchInterval: rereadMs,
  });
  const isOver = error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED';
  if (isOver) return <Over />;
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return data === undefined ? null : <Shown shared={data} />;
}

/** Whoever looks at a share has no account and no rights. */
function Shown({ shared }: { readonly shared: SharedView }) {
  const { name, timeZone, video } = shared;
  const nobody = { accountId: 0, name, timeZone, keyId: 0, keyName: '', scopes: [] };
  const url = useLocation();
  return (
    <PersonProvider person={{ ...nobody, shared }}>
      <div className="shared">
        <main id="main">
          <StaleNote />
          <PageUrlContext value={url}>
            {video === null ? <OverviewPage /> : <VideoPage accessKey={video.accessKey} />}
          </PageUrlContext>
        </main>
        <footer>
          <Brand />
          <Preferences />
        </footer>
      </div>
    </PersonProvider>
  );
}

function Over() {
  const { t } = useReader();
  return (
    <main className="sign-in">
      <title>{`${t('shared.over')} · Playmeter`}</title>
      <Brand />
      <h1>{t('shared.over')}</h1>
      <p>{t('shared.over.what')}</p>
    </main>
  );
}
