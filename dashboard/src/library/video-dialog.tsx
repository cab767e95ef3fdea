/** One video: its fields, the packages it is in, and what to put into a page. */
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { Publications } from './publications.tsx';
import { VideoForm } from './video-form.tsx';

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
