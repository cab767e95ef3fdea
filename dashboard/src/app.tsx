/** Who is signed in, and which page is open. */
import { type Query, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { PlaymeterError } from '../../client/src/index.ts';
import { ErrorNote } from './frame/error-note.tsx';
import { Frame } from './frame/frame.tsx';
import { Loading } from './frame/loading.tsx';
import { NoAccount } from './frame/no-account.tsx';
import { NotHere } from './frame/not-here.tsx';
import { PageGuard } from './frame/page-guard.tsx';
import { PersonProvider, usePerson } from './frame/person.tsx';
import { SignInAgain } from './frame/sign-in-again.tsx';
import { SignInPage } from './frame/sign-in-page.tsx';
import { useReader } from './language.tsx';
import { askFirst } from './overview/ask-first.ts';
import { OverviewPage } from './overview/overview-page.tsx';
import { usePageUrl } from './page-url.ts';
import { retryDelayMs } from './retry-delay.ts';
import { openLinksAnew, type Person, signIn, takeLink, whoIsSignedIn } from './session.ts';
import { onDenied, onSessionEnd } from './session-end.ts';
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
  'viewers',
];
const mostRetries = 2;

const client = createClient();
// While the texts of the language are loaded.
if (location.pathname !== '/') void client.prefetchQuery(otherPages);
if (shareToken === undefined && link?.kind !== 'sign-in') void beginForPerson();

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
  const { t, textIfAny } = useReader();
  const [opened, setOpened] = useState(link?.kind === 'sign-in' ? undefined : link);
  const [isLinkVoid, setLinkVoid] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: person,
    queryFn: () =>
      link?.kind === 'sign-in' ? signInByLink(link.value, setLinkVoid) : whoIsSignedIn(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [isOver, setOver] = useState(false);
  useEffect(() => onSessionEnd(() => setOver(true)), []);
  useEffect(() => onDenied(() => void refetch({ cancelRefetch: false })), [refetch]);
  useEffect(openLinksAnew, []);
  const isOfAccount = { predicate: ({ queryKey }: Query) => queryKey[0] !== person[0] };
  const leave = () => {
    client.removeQueries(isOfAccount);
    client.setQueryData(person, null);
    setOver(false);
  };
  const enter = async () => {
    client.removeQueries(isOfAccount);
    await refetch();
    setOpened(undefined);
    setOver(false);
  };
  /** What is open, and what was typed into it, is there still. */
  const goOn = async () => {
    const next = (await refetch()).data;
    if (!data || !next || identityOf(next) !== identityOf(data)) return enter();
    await client.cancelQueries(isOfAccount);
    setOver(false);
    await client.invalidateQueries(isOfAccount);
  };
  // An operator looks after the service, member or not.
  const hasNone = data?.accountId === 0 && !data.person?.isOperator;
  const isNotTheirs = hasCode(error, 'NOT_FOUND') || hasNone;
  if (isNotTheirs && !opened) return <NoAccount hasNone={!error} onSignOut={leave} />;
  if (error && !data && !opened) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined && !error) return null;
  const isRefused = opened?.kind === 'sign-in-refused';
  if (opened && (data || !isRefused)) {
    const props = { person: data ?? null, onSignIn: enter, onLeave: () => setOpened(undefined) };
    return (
      <PageGuard>
        <WithOtherPages show={({ LinkPage }) => <LinkPage link={opened} {...props} />} />
      </PageGuard>
    );
  }
  if (!data) {
    const refusal = isRefused && (textIfAny(`provider.${opened.value}`) ?? t('provider.failed'));
    return (
      <SignInPage
        complaint={isLinkVoid ? t('signIn.linkVoid') : refusal || ''}
        onSignIn={enter}
        onForgotten={() => setOpened({ kind: 'forgotten', value: '' })}
      />
    );
  }
  return (
    // Of another account, nothing stays.
    <PersonProvider key={identityOf(data)} person={data}>
      <Frame onSignOut={leave}>
        <Page />
      </Frame>
      {isOver && <SignInAgain onSignIn={goOn} onLeave={leave} />}
    </PersonProvider>
  );
}

function identityOf({ accountId, person }: Person): string {
  return `${accountId} ${person?.personId ?? 'key'}`;
}

/** A link that was used before does no harm to whoever is signed in already. */
async function signInByLink(
  link: string,
  setVoid: (isVoid: boolean) => void,
): Promise<Person | null> {
  const already = await whoIsSignedIn();
  if (already) return already;
  try {
    await signIn({ link });
    return await whoIsSignedIn();
  } catch (error) {
    if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
    setVoid(true);
    return null;
  }
}

function Page() {
  const { accountId } = usePerson();
  const { path } = usePageUrl();
  const [, first = ''] = path.split('/');
  const isOfAccount = path !== '/me' && path !== '/service';
  return (
    <PageGuard key={first}>{accountId === 0 && isOfAccount ? <NotHere /> : pageAt(path)}</PageGuard>
  );
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
  if (path === '/me') return <WithOtherPages show={({ MePage }) => <MePage />} />;
  if (path === '/service') return <WithOtherPages show={({ ServicePage }) => <ServicePage />} />;
  if (first === 'settings')
    return <WithOtherPages show={({ SettingsPage }) => <SettingsPage part={second} />} />;
  return <NotHere />;
}

/** Not by `lazy`: what React has shown as loading for a moment, it shows so for 0.3 s. */
function WithOtherPages({ show }: { readonly show: (pages: OtherPages) => ReactNode }) {
  const { data: pages } = useQuery(otherPages);
  return pages ? show(pages) : <Loading />;
}
