/** All fields of a video; what is seldom changed is folded away. */
import { type FormEvent, useId, useState } from 'react';
import type { Folder, Video } from '../../../client/src/index.ts';
import { readLength } from '../film/read-length.ts';
import { SaveRow } from '../frame/save-row.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useFolders } from '../whole-lists.ts';
import { changesOf, textFields, type VideoFields } from './video-changes.ts';

const longFields: readonly string[] = ['content', 'etc'];

export function VideoForm({ video }: { readonly video: Video }) {
  const { t } = useReader();
  const { accessKey } = video;
  const id = useId();
  const [complaint, setComplaint] = useState('');
  const change = useChange(
    async (fields: VideoFields) => {
      const { thumbnailUrl = '' } = fields;
      if (thumbnailUrl !== video.thumbnailUrl) {
        const thumbnails = thumbnailUrl === '' ? [] : [{ url: thumbnailUrl }];
        await server.manage.putThumbnails(accessKey, thumbnails);
      }
      return server.manage.changeVideo(accessKey, changesOf(video, fields));
    },
    ...['videos', 'video', 'query'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)];
    const fields = Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]));
    const isLength = readLength(fields.length ?? '') !== undefined;
    setComplaint(isLength ? '' : t('video.length.bad'));
    if (isLength) change.mutate(fields);
  };
  return (
    <form className="fields" onSubmit={submit}>
      <MainFields video={video} id={id} complaint={complaint} />
      <details>
        <summary>{t('video.more')}</summary>
        <div className="fields">
          {textFields.map((name) => {
            const field = { id: `${id}-${name}`, name, defaultValue: video[name] ?? '' };
            return (
              <div key={name} className="fields">
                <label htmlFor={field.id}>{t(`video.${name}`)}</label>
                {longFields.includes(name) ? (
                  <textarea rows={3} {...field} />
                ) : (
                  <input {...field} />
                )}
              </div>
            );
          })}
        </div>
      </details>
      <SaveRow change={change} />
    </form>
  );
}

interface MainFieldsProps {
  readonly video: Video;
  /** Of the form, within the page. */
  readonly id: string;
  /** About the length. */
  readonly complaint: string;
}

function MainFields({ video, id, complaint }: MainFieldsProps) {
  const { t, formats } = useReader();
  const { title, duration, thumbnailUrl, folderId } = video;
  const { data: folders } = useFolders();
  return (
    <>
      <label htmlFor={`${id}-title`}>{t('video.title')}</label>
      <input id={`${id}-title`} name="title" required defaultValue={title} />
      <label htmlFor={`${id}-length`}>{t('video.length.form')}</label>
      <input
        id={`${id}-length`}
        name="length"
        defaultValue={duration > 0 ? formats.position(duration) : ''}
        aria-describedby={`${id}-complaint`}
      />
      <p id={`${id}-complaint`} className="complaint" role="alert">
        {complaint}
      </p>
      {folders && <FolderField id={`${id}-folder`} of={folderId} folders={folders} />}
      <label htmlFor={`${id}-thumbnail`}>{t('video.thumbnail')}</label>
      <input
        id={`${id}-thumbnail`}
        name="thumbnailUrl"
        type="url"
        defaultValue={thumbnailUrl}
        aria-describedby={`${id}-thumbnailWhat`}
      />
      <p id={`${id}-thumbnailWhat`} className="quiet">
        {t('video.thumbnail.what')}
      </p>
    </>
  );
}

interface FolderFieldProps {
  readonly id: string;
  /** The folder that the video is in. */
  readonly of: number;
  readonly folders: readonly Folder[];
}

function FolderField({ id, of, folders }: FolderFieldProps) {
  const { t } = useReader();
  const [chosen, setChosen] = useState(of);
  // Made since they were read; if it were no option, saving would move the video to the first one.
  const isMissing = folders.every(({ folderId }) => folderId !== of);
  return (
    <>
      <label htmlFor={id}>{t('video.folder')}</label>
      <select
        id={id}
        name="folder"
        value={chosen}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {isMissing && <option value={of}>{of}</option>}
        {folders.map(({ folderId, folderName }) => (
          <option key={folderId} value={folderId}>
            {folderName}
          </option>
        ))}
      </select>
    </>
  );
}
