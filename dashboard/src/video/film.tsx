import { useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { ErrorNote } from '../frame/error-note.tsx';
import { usePerson } from '../frame/person.tsx';
import { useThumbnail } from '../frame/use-thumbnail.ts';
import { useReader } from '../language.tsx';
import { findFilm } from './find-film.ts';

interface FilmProps {
  readonly ref: Ref<HTMLVideoElement>;
  readonly accessKey: string;
  readonly title: string;
  readonly thumbnailUrl: string | undefined;
  readonly onTime: (ms: number) => void;
}

/** The film itself, where this service or the content host has it. Looking here is not counted. */
export function Film({ ref, accessKey, title, thumbnailUrl, onTime }: FilmProps) {
  const { t } = useReader();
  const { scopes, shared } = usePerson();
  const [isMissing, setMissing] = useState(false);
  const thumbnail = useThumbnail(thumbnailUrl);
  const mayLook = scopes.includes('manage') && scopes.includes('info:read');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['film', accessKey],
    queryFn: ({ signal }) => findFilm(accessKey, signal),
    enabled: mayLook,
  });
  // Nobody looks for a film in a share, which shows figures alone.
  if (shared) return null;
  if (!data || isMissing) {
    const none = <p className={thumbnail.src ? 'quiet' : 'film quiet empty'}>{t('film.none')}</p>;
    return (
      <div aria-busy={mayLook && isPending}>
        {thumbnail.src && <img className="film" alt="" {...thumbnail} />}
        {!mayLook && <p className="quiet">{t('film.noRight')}</p>}
        {error && !data && <ErrorNote error={error} retry={refetch} />}
        {(data === null || isMissing) && none}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: the film is the site's own, and has what it has
    <video
      ref={ref}
      className="film"
      controls
      preload="metadata"
      aria-label={title}
      src={data.videoUrl}
      poster={thumbnail.src || undefined}
      onError={() => setMissing(true)}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime * 1_000)}
      onSeeking={({ currentTarget }) => onTime(currentTarget.currentTime * 1_000)}
    />
  );
}
