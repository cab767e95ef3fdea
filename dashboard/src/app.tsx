/** Who is signed in, and which page is open. */
import { QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { PlaymeterError } from '../../client/src/index.ts';
import { useAddress } from './address.ts';
import { ErrorNote } from './frame/error-note.tsx';
import { Frame } from './frame/frame.tsx';
import { NotHere } from './frame/not-here.tsx';
import { PersonProvider } from './frame/person.tsx';
import { SignInPage } from './frame/sign-in-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { type Person, signInWithLink, takeLink, whoIsSignedIn } from './session.ts';
import { shareToken } from './sharing/share-token.ts';

const NowPage = lazy(() => import('./now/now-page.tsx'));
const VideoPage = lazy(() => import('./video/video-page.tsx'));
const LibraryPage = lazy(() => import('./library/library-page.tsx'));
const SettingsPage = lazy(() => import('./settings/settings-page.tsx'));
const SharedPage = lazy(() => import('./sharing/shared-page.tsx'));

const link = takeLink();
const person = ['person'] as const;
const staleMs = 10_000;
const mostRetries = 2;

export function App() {
  const [client] = useState(createClient);
  return (
    <QueryClientProvider client={client}>
      {shareToken === undefined ? (
        <Gate client={client} />
      ) : (
        <Suspense fallback={null}>
          <SharedPage />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}

function createClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        // The session has ended: whatever asked, the answer is to sign in again.
        if (hasCode(error, 'UNAUTHENTICATED')) client.setQueryData(person, null);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        retry: (failures, error) => failures < mostRetries && hasCode(error, 'NETWORK'),
      },
    },
  });
  return client;
}

function hasCode(error: unknown, code: PlaymeterError['code']): boolean {
  return error instanceof PlaymeterError && error.code === code;
}

function Gate({ client }: { readonly client: QueryClient }) {
  const [isLinkVoid, setLinkVoid] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: person,
    queryFn: () => (link === undefined ? whoIsSignedIn() : signInByLink(link, setLinkVoid)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const setPerson = (next: Person | null) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== person[0] });
    client.setQueryData(person, next);
  };
  if (data === null) return <SignInPage isLinkVoid={isLinkVoid} onSignIn={setPerson} />;
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return null;
  return (
    <PersonProvider person={data}>
      <Frame onSignOut={() => setPerson(null)}>
        <Suspense fallback={null}>
          <Page />
        </Suspense>
      </Frame>
    </PersonProvider>
  );
}

/** A link that was used before does no harm to whoever is signed in already. */
async function signInByLink(
  link: string,
  setVoid: (isVoid: boolean) => void,
): Promise<Person | null> {
  const already = await whoIsSignedIn();
  if (already) return already;
  try {
    return await signInWithLink(link);
  } catch (error) {
    if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
    setVoid(true);
    return null;
  }
}

function Page() {
  const { path } = useAddress();
  const [, first = '', second] = path.split('/');
  if (path === '/') return <OverviewPage />;
  if (path === '/now') return <NowPage />;
  if (path === '/library') return <LibraryPage />;
  if (first === 'videos' && second) return <VideoPage accessKey={decodeURIComponent(second)} />;
  if (first === 'settings') return <SettingsPage part={second} />;
  return <NotHere />;
}
