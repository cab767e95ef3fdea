import { type DragEvent, type FormEvent, useId, useState } from 'react';
import { filmKey } from '../film/film-key.ts';
import { readFilm, titleOfFile } from '../film/read-film.ts';
import { readLength } from '../film/read-length.ts';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import type { NewVideo } from './new-video.ts';

interface FilmStepProps {
  /** What was chosen before. */
  readonly video: Partial<NewVideo> | undefined;
  readonly onChoose: (video: NewVideo) => void;
}

/** What the browser reads of a film besides its title and length. */
type OfFile = Pick<NewVideo, 'accessKey' | 'vWidth' | 'vHeight' | 'fileSize'>;

/** A video is a title and a length here; its file may be anywhere, and stays there. */
export function FilmStep({ video, onChoose }: FilmStepProps) {
  const { t, formats } = useReader();
  const { accountId } = usePerson();
  const id = useId();
  const [title, setTitle] = useState(video?.title ?? '');
  const [length, setLength] = useState(video?.duration ? formats.position(video.duration) : '');
  const [read, setRead] = useState<{ readonly of: OfFile; readonly exactMs?: number }>();
  const [complaint, setComplaint] = useState('');
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const film = await readFilm(file);
    const accessKey = await filmKey(accountId, file);
    const size = film && { vWidth: film.width, vHeight: film.height };
    const of = { ...(accessKey !== undefined && { accessKey }), ...size, fileSize: file.size };
    setRead(film ? { of, exactMs: film.durationMs } : { of });
    setTitle(titleOfFile(file));
    setLength(film ? formats.position(film.durationMs) : '');
    setComplaint(film ? '' : t('add.film.unread'));
  };
  const drop = (event: DragEvent) => {
    // The page behind would import it.
    event.preventDefault();
    event.stopPropagation();
    void take([...event.dataTransfer.files][0]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typedMs = readLength(length);
    if (typedMs === undefined) return setComplaint(t('video.length.bad'));
    // The field shows whole seconds: unless it was written anew, the film's own milliseconds hold.
    const { exactMs } = read ?? {};
    const isFilms = exactMs !== undefined && formats.position(exactMs) === length;
    onChoose({ ...read?.of, title: title.trim(), duration: isFilms ? exactMs : typedMs });
  };
  return (
    <form className="fields" onSubmit={submit} onDrop={drop}>
      <div className="drop">
        <label htmlFor={`${id}-file`}>{t('add.film.file')}</label>
        <p id={`${id}-what`} className="quiet">
          {t('add.film.what')}
        </p>
        <input
          id={`${id}-file`}
          type="file"
          accept="video/*"
          aria-describedby={`${id}-what`}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </div>
      <label htmlFor={`${id}-title`}>{t('video.title')}</label>
      <input
        id={`${id}-title`}
        required
        pattern=".*\S.*"
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <label htmlFor={`${id}-length`}>{t('video.length.form')}</label>
      <input
        id={`${id}-length`}
        value={length}
        aria-describedby={`${id}-lengthWhat ${id}-complaint`}
        onChange={({ target }) => setLength(target.value)}
      />
      <p id={`${id}-lengthWhat`} className="quiet">
        {t('add.length.what')}
      </p>
      <p id={`${id}-complaint`} className="complaint" role="alert">
        {complaint}
      </p>
      <div className="actions">
        <button type="submit" className="primary">
          {t('add.next')}
        </button>
      </div>
    </form>
  );
}
