import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry, AuditPage } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useReader } from '../language.tsx';
import { may } from '../roles.ts';
import { server } from '../server.ts';
import { AuditDays } from './audit-days.tsx';
import { memberTexts, nameNoted, textOfAction } from './audit-names.ts';
import { auditPlace } from './audit-places.ts';
import { writeValue } from './audit-value.ts';
import { useNames } from './use-names.ts';

const pageSize = 50;
const mostOfPage = 1_000;
const csvHeads = [
  ...(['at', 'actor', 'actorName', 'address', 'action', 'object'] as const),
  ...(['before', 'after'] as const),
] as const;

/** Actions whose object is a key or a person. */
const namedObjects = [
  ...(['KEY_', 'MEMBER_', 'PERSON_', 'SIGNED_', 'SIGN_IN_', 'PASSWORD_', 'RESET_'] as const),
  ...(['SECOND_FACTOR_', 'RECOVERY_CODE_', 'IDENTITY_', 'EMAIL_'] as const),
];

interface AuditPanelProps {
  readonly name: 'audit' | 'service-audit';
  readonly title: string;
  readonly read: (
    parameters: { readonly pageSize: number; readonly pageToken?: string },
    options?: { readonly signal: AbortSignal },
  ) => Promise<AuditPage>;
}

export function Audit() {
  const { t } = useReader();
  return (
    <AuditPanel
      name="audit"
      title={t('settings.audit')}
      read={(parameters, options) => server.manage.audit(parameters, options)}
    />
  );
}

/** Who changed what, newest first. */
export function AuditPanel({ name, title, read }: AuditPanelProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { actorName } = useNames();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: [name],
    queryFn: ({ pageParam, signal }) =>
      read({ pageSize, ...(pageParam && { pageToken: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextToken }) => nextToken,
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  const heads = ['at', 'who', 'what', 'changes'] as const;
  return (
    <section className="panel" aria-label={title}>
      <PanelHead title={title}>
        <TableCsvButton name={name} table={() => readTable(read)} />
      </PanelHead>
      <AuditDays
        entries={data.pages.flatMap(({ list }) => list)}
        heads={heads.map((head) => t(`audit.${head}`))}
        isCut={hasNextPage}
        rowOf={(entry) => ({
          key: entry.auditId,
          cells: [
            formats.clock(entry.at, timeZone),
            [actorName(entry.actor, entry.actorName), entry.address].filter(Boolean).join(', '),
            <What key="what" entry={entry} />,
            <Changes key="changes" entry={entry} />,
          ],
        })}
      />
      {hasNextPage && (
        <ActionButton isBusy={isFetching} onClick={() => void fetchNextPage()}>
          {t('list.more')}
        </ActionButton>
      )}
    </section>
  );
}

async function readTable(read: AuditPanelProps['read']) {
  const entries: AuditEntry[] = [];
  let pageToken = '';
  do {
    const page = await read({
      pageSize: mostOfPage,
      ...(pageToken && { pageToken }),
    });
    for (const entry of page.list) entries.push(entry);
    pageToken = page.nextToken ?? '';
  } while (pageToken !== '');
  return tableOf(entries, csvHeads);
}

function What({ entry }: { readonly entry: AuditEntry }) {
  const { action, object } = entry;
  const { t } = useReader();
  const person = usePerson();
  const { keyName, personName } = useNames();
  const text = textOfAction(action);
  const nameOf = action.startsWith('KEY_') ? keyName : personName;
  const isNamed = namedObjects.some((start) => action.startsWith(start));
  const named = (isNamed && object !== null ? nameOf(object) : undefined) ?? nameNoted(entry);
  const shown = named === undefined ? <code>{object}</code> : <span dir="auto">{named}</span>;
  const place = auditPlace(action, object);
  return (
    <>
      {text === undefined ? action : t(text)}{' '}
      {place && may(person, place.role) ? <Link href={place.path}>{shown}</Link> : shown}
    </>
  );
}

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => {
    const written = [before?.[name], after?.[name]]
      .filter((value) => value !== undefined)
      .map((value) => writeValue(name, value, { t, formats, timeZone }));
    const text = memberTexts[name];
    return (
      <div key={name}>
        <span className="quiet">{text === undefined ? name : t(text)}:</span> {written.join(' → ')}
      </div>
    );
  });
}
