/** Who is signed in, and which page is open. */
import { type Query, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { PlaymeterError } from '../../client/src/index.ts';
import { ErrorNote } from './frame/error-note.tsx';
import { Frame } from './frame/frame.tsx';
import { Loading } from './frame/loading.tsx';
import { NotHere } from './frame/not-here.tsx';
import { PageGuard } from './frame/page-guard.tsx';
import { PersonProvider } from './frame/person.tsx';
import { SignInAgain } from './frame/sign-in-again.tsx';
import { SignInPage } from './frame/sign-in-page.tsx';
import { askFirst } from './overview/ask-first.ts';
import { OverviewPage } from './overview/overview-page.tsx';
import { usePageUrl } from './page-url.ts';
import { retryDelayMs } from './retry-delay.ts';
import { type Person, signInWithLink, takeLink, whoIsSignedIn } from './session.ts';
import { onSessionEnd } from './session-end.ts';
import { shareToken } from './sharing/share-token.ts';
import { qualityPath } from './statistics.ts';

type OtherPages = typeof import('./other-pages.ts');

/** In one file: apart, they would share a dozen small ones with the first view. */
const otherPages = {
  queryKey: ['other-pages'],
  queryFn: () => import('./other-pages.ts'),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
  throwOnError: true,
};

const link = takeLink();
const person = ['person'] as const;
const staleMs = 10_000;
/** What questions.ts asks, by the first word of its key. */
const questions = [
  'query',
  'all',
  'retention',
  'furthest',
  'live',
  'schema',
  'plays-ever',
  'distribution',
];
const mostRetries = 2;

const client = createClient();
// While the texts of the language are loaded.
if (location.pathname !== '/') void client.prefetchQuery(otherPages);
if (shareToken === undefined && link === undefined) void beginForPerson();

export function App() {
  return (
    <QueryClientProvider client={client}>
      {shareToken === undefined ? (
        <Gate />
      ) : (
        <PageGuard>
          <WithOtherPages show={({ SharedPage }) => <SharedPage />} />
        </PageGuard>
      )}
    </QueryClientProvider>
  );
}

function createClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        // The client has tried again already.
        retry: false,
      },
    },
  });
  for (const name of questions) {
    client.setQueryDefaults([name], {
      retry: (retry, error) => retry < mostRetries && retryDelayMs(retry, error, 0) !== undefined,
      retryDelay: (retry, error) => retryDelayMs(retry, error, Math.random()) ?? 0,
    });
  }
  return client;
}

async function beginForPerson(): Promise<void> {
  await client.prefetchQuery({ queryKey: person, queryFn: whoIsSignedIn });
  const found = client.getQueryData<Person | null>(person);
  if (found) askFirst(client, found);
}

function hasCode(error: unknown, code: PlaymeterError['code']): boolean {
  return error instanceof PlaymeterError && error.code === code;
}

function Gate() {
  const [isLinkVoid, setLinkVoid] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: person,
    queryFn: () => (link === undefined ? whoIsSignedIn() : signInByLink(link, setLinkVoid)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [isOver, setOver] = useState(false);
  useEffect(() => onSessionEnd(() => setOver(true)), []);
  const isOfAccount = { predicate: ({ queryKey }: Query) => queryKey[0] !== person[0] };
  const setPerson = (next: Person | null) => {
    client.removeQueries(isOfAccount);
    client.setQueryData(person, next);
    setOver(false);
  };
  /** What is open, and what was typed into it, is there still. */
  const goOn = async (next: Person | null) => {
    if (next?.accountId !== data?.accountId) return setPerson(next);
    await client.cancelQueries(isOfAccount);
    client.setQueryData(person, next);
    setOver(false);
    await client.invalidateQueries(isOfAccount);
  };
  if (data === null) return <SignInPage isLinkVoid={isLinkVoid} onSignIn={setPerson} />;
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return null;
  return (
    // Of another account, nothing stays.
    <PersonProvider key={data.accountId} person={data}>
      <Frame onSignOut={() => setPerson(null)}>
        <Page />
      </Frame>
      {isOver && <SignInAgain onSignIn={goOn} onLeave={() => setPerson(null)} />}
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
  const { path } = usePageUrl();
  const [, first = ''] = path.split('/');
  return <PageGuard key={first}>{pageAt(path)}</PageGuard>;
}

function pageAt(path: string): ReactNode {
  const [, first = '', second] = path.split('/');
  if (path === '/') return <OverviewPage />;
  if (path === '/now') return <WithOtherPages show={({ NowPage }) => <NowPage />} />;
  if (path === qualityPath) return <WithOtherPages show={({ QualityPage }) => <QualityPage />} />;
  if (path === '/library') return <WithOtherPages show={({ LibraryPage }) => <LibraryPage />} />;
  if (first === 'videos' && second) {
    const accessKey = decodeURIComponent(second);
    return <WithOtherPages show={({ VideoPage }) => <VideoPage accessKey={accessKey} />} />;
  }
  if (first === 'settings')
    return <WithOtherPages show={({ SettingsPage }) => <SettingsPage part={second} />} />;
  return <NotHere />;
}

/** Not by `lazy`: what React has shown as loading for a moment, it shows so for 0.3 s. */
function WithOtherPages({ show }: { readonly show: (pages: OtherPages) => ReactNode }) {
  const { data: pages } = useQuery(otherPages);
  return pages ? show(pages) : <Loading />;
}
