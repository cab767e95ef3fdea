/** Which named viewers completed a video, or all videos in a package. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ActionButton } from '../frame/action-button.tsx';
import { Choice } from '../frame/choice.tsx';
import { AnswerCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { asking, files, server } from '../server.ts';
import { parametersOf, useView } from '../statistics.ts';
import { usePackageNames, usePublications } from '../whole-lists.ts';
import { type Sorting, ViewersTable } from './viewers-table.tsx';

interface ViewersPanelProps {
  /** Of a video, which may be looked at with all others of a package; or of a package alone. */
  readonly accessKey: string | undefined;
  readonly packageId: number | undefined;
}

const pageSize = 50;
const ofVideo = '';

export default function ViewersPanel({ accessKey, packageId }: ViewersPanelProps) {
  const { t } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => server.manage.account({ signal }),
  });
  if (!data) {
    return error ? <ErrorNote error={error} retry={refetch} /> : <Loading />;
  }
  if (data.viewers !== 'named') {
    return (
      <section className="panel viewers" aria-label={t('completion.name')}>
        <PanelHead title={t('completion.name')} />
        <NotNamed />
      </section>
    );
  }
  return <Completion accessKey={accessKey} packageId={packageId} />;
}

function NotNamed() {
  const { t } = useReader();
  const maySet = useMay('manager');
  const choice = { setting: t('account.viewers'), choice: t('viewers.named') };
  return (
    <>
      <p>{t('completion.off')}</p>
      <p className="quiet">
        {t('completion.set', choice)}{' '}
        {maySet && <Link href="/settings/account">{t('nav.settings')}</Link>}
      </p>
    </>
  );
}

function Completion({ accessKey, packageId }: ViewersPanelProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const [chosen, setChosen] = useState(ofVideo);
  const [names, setNames] = useState('');
  const [sort, setSort] = useState<Sorting>('-completed');
  const about = chosen === ofVideo ? { accessKey, packageId } : { packageId: Number(chosen) };
  const { sdate, edate, filters } = parametersOf(view);
  const asked = {
    ...{ sdate, edate, sort },
    ...(filters && { filters }),
    ...(names && { names }),
    ...(about.accessKey !== undefined && { accessKey: about.accessKey }),
    ...(about.packageId !== undefined && { packageId: about.packageId }),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['viewers', asked],
    queryFn: async ({ pageParam, signal }) =>
      (await pageParam?.()) ??
      (await asking.statistics.viewers({ ...asked, pageSize }, { signal })),
    initialPageParam: undefined as undefined | (() => Promise<ViewersPage | undefined>),
    getNextPageParam: (last: ViewersPage) =>
      last.nextToken === '' ? undefined : (last.next as () => Promise<ViewersPage | undefined>),
    // Pages of one moment are not asked anew one by one.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    placeholderData: (last) => last,
  });
  const totals = data?.pages[0]?.totals;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const title = totals
    ? t('completion.completed', {
        completed: formats.number(totals.completed),
        viewers: formats.number(totals.viewers),
      })
    : t('completion.name');
  return (
    <section className="panel viewers" aria-label={t('completion.name')} aria-busy={isFetching}>
      <PanelHead title={title} about={<p>{t('completion.what')}</p>}>
        {accessKey !== undefined && (
          <About accessKey={accessKey} value={chosen} onChoose={setChosen} />
        )}
        <AnswerCsvButton
          name={`viewers-${sdate}-${edate}`}
          ask={() => files.statistics.csv.viewers(asked)}
        />
      </PanelHead>
      <NamesForm isAsked={names !== ''} onAsk={setNames} />
      {error && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && rows.length === 0 && <p className="quiet empty">{t('completion.none')}</p>}
      {rows.length > 0 && (
        <ViewersTable
          rows={rows}
          videos={totals?.videos ?? 1}
          sort={sort}
          caption={title}
          onSort={setSort}
        />
      )}
      {hasNextPage && (
        <div className="actions">
          <ActionButton isBusy={isFetching} onClick={() => void fetchNextPage()}>
            {t('completion.more')}
          </ActionButton>
        </div>
      )}
    </section>
  );
}

type ViewersPage = Awaited<ReturnType<typeof asking.statistics.viewers>>;

interface AboutProps {
  readonly accessKey: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

/** The video alone, or with all others of a package that it is in. */
function About({ accessKey, value, onChoose }: AboutProps) {
  const { t } = useReader();
  const { data: publications = [] } = usePublications(accessKey);
  const nameOf = usePackageNames(publications.length > 0);
  if (publications.length === 0) return null;
  return (
    <Choice
      label={t('completion.of')}
      value={value}
      options={[
        { value: ofVideo, name: t('completion.ofVideo') },
        ...publications.map(({ packageId }) => ({
          value: String(packageId),
          name: t('completion.inPackage', { name: nameOf(packageId) }),
        })),
      ]}
      onChoose={onChoose}
    />
  );
}

interface NamesFormProps {
  readonly isAsked: boolean;
  readonly onAsk: (names: string) => void;
}

/** They are kept nowhere, and stand in no URL of the page. */
function NamesForm({ isAsked, onAsk }: NamesFormProps) {
  const { t } = useReader();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('names') ?? '');
    const names = text.split('\n').map((name) => name.trim());
    onAsk(names.filter((name) => name !== '').join('\n'));
  };
  return (
    <details className="names">
      <summary>{t('completion.find')}</summary>
      <form className="fields" onSubmit={submit} onReset={() => onAsk('')}>
        <label htmlFor="viewerNames">{t('completion.names')}</label>
        <textarea
          id="viewerNames"
          name="names"
          rows={4}
          aria-describedby="viewerNamesWhat"
          autoComplete="off"
          spellCheck={false}
        />
        <p id="viewerNamesWhat" className="quiet">
          {t('completion.names.what')}
        </p>
        <div className="actions">
          <button type="submit">{t('completion.find')}</button>
          {isAsked && <button type="reset">{t('completion.all')}</button>}
        </div>
      </form>
    </details>
  );
}
