import type { Folder } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { RenameButton } from '../frame/rename-button.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

interface FolderActionsProps {
  readonly folder: Folder;
  readonly onDelete: () => void;
}

export function FolderActions({ folder: { folderId, folderName }, onDelete }: FolderActionsProps) {
  const { t } = useReader();
  const remove = useChange(() => server.manage.deleteFolder(folderId), 'folders');
  return (
    <>
      <RenameButton
        name={folderName}
        rename={(name) => server.manage.renameFolder(folderId, name)}
        reread={['folders', 'query']}
      >
        {t('library.renameFolder')}
      </RenameButton>
      <ConfirmButton
        question={t('library.deleteFolder.what')}
        act={async () => {
          await remove.mutateAsync(undefined);
          onDelete();
        }}
      >
        {t('library.deleteFolder')}
      </ConfirmButton>
    </>
  );
}
