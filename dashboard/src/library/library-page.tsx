/** The account's videos: found as one types, sorted, page after page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { navigate, useAddress, withSearch } from '../address.ts';
import { Choice } from '../frame/choice.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { Paging, pageIn } from '../frame/paging.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { AddVideo } from './add-video.tsx';
import { FolderChoice } from './folder-choice.tsx';
import { ImportPanel } from './import-panel.tsx';
import { VideoDialog } from './video-dialog.tsx';
import { VideoTable } from './video-table.tsx';

const pageSizes = [50, 200, 1_000];
const sorts = ['id', 'title', 'duration', 'filesize'] as const;

export default function LibraryPage() {
  const { t } = useReader();
  const address = useAddress();
  const folders = useQuery({
    queryKey: ['folders'],
    queryFn: ({ signal }) => server.manage.folders({ pageSize: 1_000 }, { signal }),
  });
  const list = folders.data?.list ?? [];
  const folder = list.find(({ folderId }) => String(folderId) === address.search.get('folder'));
  const added = folder ?? list[0];
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    navigate(withSearch(address, { page: undefined, ...changes }), 'replace');
  return (
    <>
      <PageHead title={t('nav.library')}>
        <FolderChoice
          folders={list}
          folderId={folder?.folderId}
          onChoose={(id) => change({ folder: id === undefined ? undefined : String(id) })}
        />
      </PageHead>
      {folders.error && <ErrorNote error={folders.error} retry={folders.refetch} />}
      {folders.data && list.length === 0 && <p className="note">{t('library.noFolder')}</p>}
      {added && (
        <>
          <AddVideo folder={added} />
          <ImportPanel folder={added} />
          <Videos
            folders={list}
            folderId={folder?.folderId}
            search={address.search}
            onChange={change}
          />
        </>
      )}
    </>
  );
}

interface VideosProps {
  readonly folders: readonly Folder[];
  /** Undefined: all folders. */
  readonly folderId: number | undefined;
  readonly search: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

function Videos({ folders, folderId, search, onChange }: VideosProps) {
  const { t, formats } = useReader();
  const [open, setOpen] = useState<string>();
  const keyword = search.get('q') ?? '';
  const sortItem = sorts.find((sort) => sort === search.get('sort')) ?? 'id';
  const pageSize = pageSizes.find((size) => String(size) === search.get('size')) ?? 50;
  const page = pageIn(search);
  const parameters = {
    ...(folderId === undefined ? {} : { folderId }),
    ...{ keyword, sortItem, page, pageSize },
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
        <Choice
          label={t('library.size')}
          value={String(pageSize)}
          options={pageSizes.map((size) => ({
            value: String(size),
            name: t('library.rows', { count: formats.number(size) }),
          }))}
          onChoose={(size) => onChange({ size })}
        />
        <span className="quiet" role="status">
          {data && t('list.count', { count: formats.number(data.paging.totalCount) })}
        </span>
      </div>
      {error && <ErrorNote error={error} retry={refetch} />}
      {data && (
        <VideoTable
          videos={data.list}
          folders={folderId === undefined ? folders : undefined}
          onOpen={setOpen}
          isSearch={keyword !== ''}
        />
      )}
      {data && <Paging paging={data.paging} onPage={(next) => onChange({ page: String(next) })} />}
      {open !== undefined && <VideoDialog accessKey={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}
