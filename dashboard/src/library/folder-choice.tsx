import { type FormEvent, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

interface FolderChoiceProps {
  readonly folders: readonly Folder[];
  readonly folderId: number;
  readonly onChoose: (folderId: number) => void;
}

export function FolderChoice({ folders, folderId, onChoose }: FolderChoiceProps) {
  const { t } = useReader();
  const [isNew, setNew] = useState(false);
  const { mutateAsync, error } = useChange(
    (folderName: string) => server.manage.addFolder({ folderName }),
    'folders',
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('folderName'));
    const made = await mutateAsync(name).catch(() => undefined);
    if (made === undefined) return;
    setNew(false);
    onChoose(made.folderId);
  };
  return (
    <>
      {folders.length > 0 && (
        <select
          aria-label={t('library.folder')}
          value={folderId}
          onChange={({ target }) => onChoose(Number(target.value))}
        >
          {folders.map((folder) => (
            <option key={folder.folderId} value={folder.folderId}>
              {folder.folderName}
            </option>
          ))}
        </select>
      )}
      <button type="button" onClick={() => setNew(true)}>
        {t('library.newFolder')}
      </button>
      {isNew && (
        <Dialog title={t('library.newFolder')} onClose={() => setNew(false)}>
          <form className="inline" onSubmit={(event) => void submit(event)}>
            <input name="folderName" required aria-label={t('library.folderName')} />
            <button type="submit" className="primary">
              {t('form.create')}
            </button>
            {error && <ErrorNote error={error} />}
          </form>
        </Dialog>
      )}
    </>
  );
}
