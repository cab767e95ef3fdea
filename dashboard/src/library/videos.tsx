import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { Paging, pageIn } from '../frame/paging.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { VideoDialog } from './video-dialog.tsx';
import { VideoTable } from './video-table.tsx';
import { pageSizes, sorts, VideosHead } from './videos-head.tsx';

interface VideosProps {
  readonly folders: readonly Folder[];
  /** Undefined: all folders. */
  readonly folderId: number | undefined;
  readonly search: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

export function Videos({ folders, folderId, search, onChange }: VideosProps) {
  const { t } = useReader();
  const [open, setOpen] = useState<string>();
  const keyword = search.get('q') ?? '';
  const sortItem = sorts.find((sort) => sort === search.get('sort')) ?? 'id';
  const pageSize = pageSizes.find((size) => String(size) === search.get('size')) ?? 50;
  const wanted = {
    ...(folderId === undefined ? {} : { folderId }),
    ...{ keyword, sortItem },
    sortDirection: sortItem === 'title' ? ('asc' as const) : ('desc' as const),
  };
  const parameters = { ...wanted, page: pageIn(search), pageSize };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['videos', parameters],
    queryFn: ({ signal }) => server.manage.videos(parameters, { signal }),
    placeholderData: keepPreviousData,
  });
  // A thousand rows take longer to draw than a keystroke may wait.
  const shown = useDeferredValue(data?.list);
  return (
    <section className="panel" aria-label={t('library.videos')} aria-busy={isPlaceholderData}>
      <VideosHead
        wanted={wanted}
        pageSize={pageSize}
        count={data?.paging.totalCount}
        onChange={onChange}
      />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {shown && (
        <VideoTable
          videos={shown}
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
