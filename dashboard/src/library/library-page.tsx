/** The account's videos: found as one types, sorted, page after page. */
import { AddVideo } from '../adding/add-video.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { navigate, usePageUrl, withSearch } from '../page-url.ts';
import { useFolders } from '../whole-lists.ts';
import { FolderActions } from './folder-actions.tsx';
import { FolderChoice } from './folder-choice.tsx';
import { Import } from './import-panel.tsx';
import { Videos } from './videos.tsx';

export function LibraryPage() {
  const { t } = useReader();
  const mayChange = useMay('manager');
  const url = usePageUrl();
  const folders = useFolders();
  const list = folders.data ?? [];
  const folder = list.find(({ folderId }) => String(folderId) === url.search.get('folder'));
  const added = folder ?? list[0];
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    navigate(withSearch(url, { page: undefined, ...changes }), 'replace');
  const choose = (id: number | undefined) =>
    change({ folder: id === undefined ? undefined : String(id) });
  // In the URL: other pages lead here with the dialog open.
  const [adds, accessKey] = [url.search.has('add'), url.search.get('code') ?? undefined];
  const open = (add: string | undefined) =>
    navigate(withSearch(url, { add, code: undefined }), 'replace');
  return (
    <>
      <PageHead title={t('nav.library')}>
        <FolderChoice folders={list} folderId={folder?.folderId} onChoose={choose} />
        {folder && mayChange && (
          <FolderActions folder={folder} onDelete={() => choose(undefined)} />
        )}
        {folders.data && mayChange && (
          <>
            <Import folder={added} />
            <button type="button" className="primary" onClick={() => open('1')}>
              {t('add.title')}
            </button>
          </>
        )}
      </PageHead>
      {folders.error && !folders.data && (
        <ErrorNote error={folders.error} retry={folders.refetch} />
      )}
      {!folders.data && !folders.error && <Loading />}
      {folders.data && (
        <Videos folders={list} folderId={folder?.folderId} search={url.search} onChange={change} />
      )}
      {folders.data && mayChange && (adds || accessKey !== undefined) && (
        <AddVideo
          {...{ folders: list, folder: added, accessKey }}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}
