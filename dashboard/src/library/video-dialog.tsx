/** One video: its title and length, the packages it is in, and what to put into a page. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Video } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { SaveRow } from '../frame/save-row.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { Publications } from './publications.tsx';
import { readLength } from './read-length.ts';

interface VideoDialogProps {
  readonly accessKey: string;
  readonly onClose: () => void;
}

export function VideoDialog({ accessKey, onClose }: VideoDialogProps) {
  const { t } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['video', accessKey],
    queryFn: ({ signal }) => server.manage.video(accessKey, { signal }),
  });
  const remove = useChange(() => server.manage.deleteVideo(accessKey), 'videos');
  return (
    <Dialog title={data?.title || accessKey} onClose={onClose}>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {data && <VideoForm video={data} />}
      <Publications accessKey={accessKey} />
      <ConfirmButton
        question={t('video.delete.what')}
        act={async () => {
          await remove.mutateAsync(undefined);
          onClose();
        }}
      >
        {t('video.delete')}
      </ConfirmButton>
    </Dialog>
  );
}

function VideoForm({ video }: { readonly video: Video }) {
  const { t, formats } = useReader();
  const [complaint, setComplaint] = useState('');
  const change = useChange(
    (changes: { title: string; duration: number }) =>
      server.manage.changeVideo(video.accessKey, changes),
    ...['videos', 'video'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const duration = readLength(String(fields.get('length')));
    setComplaint(duration === undefined ? t('video.length.bad') : '');
    if (duration !== undefined) change.mutate({ title: String(fields.get('title')), duration });
  };
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor="videoTitle">{t('video.title')}</label>
      <input id="videoTitle" name="title" required defaultValue={video.title} />
      <label htmlFor="videoLength">{t('video.length.form')}</label>
      <input
        id="videoLength"
        name="length"
        defaultValue={video.duration > 0 ? formats.position(video.duration) : ''}
        aria-describedby="videoComplaint"
      />
      <p id="videoComplaint" className="complaint" role="alert">
        {complaint}
      </p>
      <SaveRow change={change} />
    </form>
  );
}
