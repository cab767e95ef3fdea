import { type FormEvent, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { Choice } from '../frame/choice.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useMay } from '../frame/person.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

interface FolderChoiceProps {
  readonly folders: readonly Folder[];
  /** Undefined: all folders. */
  readonly folderId: number | undefined;
  readonly onChoose: (folderId: number | undefined) => void;
}

export function FolderChoice({ folders, folderId, onChoose }: FolderChoiceProps) {
  const { t } = useReader();
  const mayAdd = useMay('manager');
  const [isNew, setNew] = useState(false);
  const { mutateAsync, error, isPending } = useChange(
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
        <Choice
          label={t('library.folder')}
          value={String(folderId ?? '')}
          options={[
            { value: '', name: t('library.allFolders') },
            ...folders.map((folder) => ({
              value: String(folder.folderId),
              name: folder.folderName,
            })),
          ]}
          onChoose={(id) => onChoose(id === '' ? undefined : Number(id))}
        />
      )}
      {mayAdd && (
        <button type="button" onClick={() => setNew(true)}>
          {t('library.newFolder')}
        </button>
      )}
      {isNew && (
        <Dialog title={t('library.newFolder')} onClose={() => setNew(false)}>
          <form className="inline" onSubmit={(event) => void submit(event)}>
            <input name="folderName" required aria-label={t('library.folderName')} />
            <ActionButton type="submit" className="primary" isBusy={isPending}>
              {t('form.create')}
            </ActionButton>
            {error && <ErrorNote error={error} />}
          </form>
        </Dialog>
      )}
    </>
  );
}
