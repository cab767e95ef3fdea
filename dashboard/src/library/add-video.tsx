import { type FormEvent, useState } from 'react';
import type { Folder, Video } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { readLength } from './read-length.ts';
import { VideoDialog } from './video-dialog.tsx';

/** A video is a name and a length here; its file may be anywhere. */
export function AddVideo({ folder }: { readonly folder: Folder }) {
  const { t } = useReader();
  const [complaint, setComplaint] = useState('');
  const [added, setAdded] = useState<Video>();
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync, error, isPending } = useChange(
    ({ title, duration }: { title: string; duration: number }) =>
      server.manage.addVideo({ folderId: folder.folderId, title, duration }),
    ...['videos', 'first-video-key'],
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const duration = readLength(String(fields.get('length')));
    setComplaint(duration === undefined ? t('video.length.bad') : '');
    if (duration === undefined) return;
    const title = String(fields.get('title'));
    const video = await mutateAsync({ title, duration }).catch(() => undefined);
    setAdded(video);
    if (video) form.reset();
  };
  return (
    <details className="panel">
      <summary>{t('library.addTo', { folder: folder.folderName })}</summary>
      <form className="inline" onSubmit={(event) => void submit(event)}>
        <input name="title" required placeholder={t('video.title')} aria-label={t('video.title')} />
        <input
          name="length"
          placeholder={t('video.length.form')}
          aria-label={t('video.length.form')}
          aria-describedby="lengthComplaint"
        />
        <ActionButton type="submit" className="primary" isBusy={isPending}>
          {t('form.create')}
        </ActionButton>
        <p id="lengthComplaint" className="complaint" role="alert">
          {complaint}
        </p>
        {error && <ErrorNote error={error} />}
      </form>
      <p className="added" role="status">
        {added && (
          <>
            {t('library.added', { title: added.title })}{' '}
            <button type="button" onClick={() => setOpen(true)}>
              {t('library.choosePackage')}
            </button>
          </>
        )}
      </p>
      {added && isOpen && (
        <VideoDialog accessKey={added.accessKey} onClose={() => setOpen(false)} />
      )}
    </details>
  );
}
