/** The account's videos: found as one types, sorted, page after page. */
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useMay } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { navigate, usePageUrl, withSearch } from '../page-url.ts';
import { useFolders } from '../whole-lists.ts';
import { AddVideo } from './add-video.tsx';
import { FolderActions } from './folder-actions.tsx';
import { FolderChoice } from './folder-choice.tsx';
import { ImportPanel } from './import-panel.tsx';
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
  return (
    <>
      <PageHead title={t('nav.library')}>
        <FolderChoice folders={list} folderId={folder?.folderId} onChoose={choose} />
        {folder && mayChange && (
          <FolderActions folder={folder} onDelete={() => choose(undefined)} />
        )}
      </PageHead>
      {folders.error && !folders.data && (
        <ErrorNote error={folders.error} retry={folders.refetch} />
      )}
      {!folders.data && !folders.error && <Loading />}
      {folders.data && list.length === 0 && (
        <p className="note">{t(mayChange ? 'library.noFolder' : 'library.nothing')}</p>
      )}
      {added && (
        <>
          {mayChange && <AddVideo folder={added} />}
          {mayChange && <ImportPanel folder={added} />}
          <Videos
            folders={list}
            folderId={folder?.folderId}
            search={url.search}
            onChange={change}
          />
        </>
      )}
    </>
  );
}
