import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../client/src/index.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

const pageSize = 50;

/** Who changed what, newest first. */
export function Audit() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      server.manage.audit({ pageSize, ...(pageParam && { pageToken: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextToken }) => nextToken,
  });
  if (error) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return null;
  const heads = ['at', 'who', 'what', 'changes'] as const;
  return (
    <section className="panel" aria-label={t('settings.audit')}>
      <RecordTable
        caption={t('settings.audit')}
        heads={heads.map((head) => t(`audit.${head}`))}
        empty={t('audit.none')}
        rows={data.pages
          .flatMap(({ list }) => list)
          .map((entry) => ({
            key: entry.auditId,
            cells: [
              formats.instant(entry.at, timeZone),
              whoOf(entry),
              <code key="what">{`${entry.action} ${entry.object ?? ''}`}</code>,
              <Changes key="changes" entry={entry} />,
            ],
          }))}
      />
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {t('list.more')}
        </button>
      )}
    </section>
  );
}

function whoOf({ actor, actorName, address }: AuditEntry): string {
  return [actorName || actor, address].filter(Boolean).join(', ');
}

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => {
    const [was, is] = [before?.[name], after?.[name]].map((value) =>
      value === undefined ? '' : JSON.stringify(value),
    );
    return <div key={name}>{`${name}: ${was ? `${was} → ` : ''}${is}`}</div>;
  });
}
