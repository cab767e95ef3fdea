/** The account's videos: found as one types, sorted, page after page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate, useAddress, withSearch } from '../address.ts';
import { Choice } from '../frame/choice.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { AddVideo } from './add-video.tsx';
import { FolderChoice } from './folder-choice.tsx';
import { Paging } from './paging.tsx';
import { VideoDialog } from './video-dialog.tsx';
import { VideoTable } from './video-table.tsx';

const pageSize = 50;
const sorts = ['id', 'title', 'duration', 'filesize'] as const;

export default function LibraryPage() {
  const { t } = useReader();
  const address = useAddress();
  const folders = useQuery({
    queryKey: ['folders'],
    queryFn: ({ signal }) => server.manage.folders({ pageSize: 1_000 }, { signal }),
  });
  const list = folders.data?.list ?? [];
  const folderId = Number(address.search.get('folder') ?? list[0]?.folderId ?? 0);
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    navigate(withSearch(address, { page: undefined, ...changes }), 'replace');
  return (
    <>
      <PageHead title={t('nav.library')}>
        <FolderChoice
          folders={list}
          folderId={folderId}
          onChoose={(id) => change({ folder: String(id) })}
        />
      </PageHead>
      {folders.error && <ErrorNote error={folders.error} retry={folders.refetch} />}
      {folders.data && list.length === 0 && <p className="note">{t('library.noFolder')}</p>}
      {folderId > 0 && (
        <>
          <AddVideo folderId={folderId} />
          <Videos folderId={folderId} search={address.search} onChange={change} />
        </>
      )}
    </>
  );
}

interface VideosProps {
  readonly folderId: number;
  readonly search: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

function Videos({ folderId, search, onChange }: VideosProps) {
  const { t, formats } = useReader();
  const [open, setOpen] = useState<string>();
  const keyword = search.get('q') ?? '';
  const sortItem = sorts.find((sort) => sort === search.get('sort')) ?? 'id';
  const page = Math.max(1, Number(search.get('page') ?? 1) || 1);
  const parameters = {
    ...{ folderId, keyword, sortItem, page, pageSize },
    sortDirection: sortItem === 'title' ? ('asc' as const) : ('desc' as const),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['videos', parameters],
    queryFn: ({ signal }) => server.manage.videos(parameters, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="panel" aria-label={t('library.videos')} aria-busy={isPlaceholderData}>
      <div className="panel-head">
        <input
          type="search"
          value={keyword}
          placeholder={t('library.search')}
          aria-label={t('library.search')}
          onChange={({ target }) => onChange({ q: target.value })}
        />
        <Choice
          label={t('library.sort')}
          value={sortItem}
          options={sorts.map((value) => ({ value, name: t(`sort.${value}`) }))}
          onChoose={(sort) => onChange({ sort })}
        />
        <span className="quiet" role="status">
          {data && t('list.count', { count: formats.number(data.paging.totalCount) })}
        </span>
      </div>
      {error && <ErrorNote error={error} retry={refetch} />}
      {data && <VideoTable videos={data.list} onOpen={setOpen} isSearch={keyword !== ''} />}
      {data && <Paging paging={data.paging} onPage={(next) => onChange({ page: String(next) })} />}
      {open !== undefined && <VideoDialog accessKey={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}
