/** What the library knows of the video: its picture, its fields, and the keys that pages use. */
import type { ReactNode } from 'react';
import type { Video } from '../../../client/src/index.ts';
import { CopyButton } from '../frame/copy-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { useThumbnail } from '../frame/use-thumbnail.ts';
import { useReader } from '../language.tsx';
import { useFolders, usePackageNames, usePackages, usePublications } from '../whole-lists.ts';

const shownPackages = 6;
const texts = ['series', 'author', 'copyright', 'rate', 'tag', 'cid'] as const;
const longTexts = ['content', 'etc'] as const;

export function VideoDetails({ video }: { readonly video: Video }) {
  const { t, formats } = useReader();
  const { accessKey, duration, fileSize, cdate } = video;
  const picture = usePicture(video);
  const thumbnail = useThumbnail(video.thumbnailUrl);
  return (
    <section className="panel video-details" aria-label={t('video.details')}>
      <h2 className="hidden">{t('video.details')}</h2>
      {thumbnail.src && <img className="thumbnail" alt="" {...thumbnail} />}
      <dl>
        <Field name={t('video.folder')}>
          <FolderName folderId={video.folderId} />
        </Field>
        <Field name={t('video.length')}>{duration > 0 && formats.position(duration)}</Field>
        <Field name={t('video.size')}>{fileSize > 0 && formats.bytes(fileSize)}</Field>
        <Field name={t('video.picture')}>{picture}</Field>
        <Field name={t('video.added')}>{formats.date(cdate)}</Field>
        {texts.map((field) => (
          <Field key={field} name={t(`video.${field}`)}>
            {video[field]}
          </Field>
        ))}
        <Field name={t('video.key')} isWide>
          <Keyed code={accessKey} name={t('video.key')} />
        </Field>
        <Field name={t('video.packages')} isWide>
          <InPackages accessKey={accessKey} />
        </Field>
        {longTexts.map((field) => (
          <Field key={field} name={t(`video.${field}`)} isWide>
            {video[field]}
          </Field>
        ))}
      </dl>
    </section>
  );
}

/** Left out where nothing is known. */
function Field(props: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  const { name, isWide, children } = props;
  if (!children) return null;
  return (
    <div className={isWide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function usePicture({ vWidth, vHeight, vFramerate }: Video): string {
  const { t, formats } = useReader();
  if (vWidth === 0 || vHeight === 0) return '';
  const size = { width: formats.number(vWidth), height: formats.number(vHeight) };
  if (vFramerate === 0) return t('video.pictureSize', size);
  return t('video.pictureOf', { ...size, rate: formats.number(vFramerate) });
}

function FolderName({ folderId }: { readonly folderId: number }) {
  const { data, error, refetch } = useFolders();
  const folder = data?.find((one) => one.folderId === folderId);
  return (
    <>
      <Link href={`/library?folder=${folderId}`}>{folder?.folderName ?? folderId}</Link>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
    </>
  );
}

function InPackages({ accessKey }: { readonly accessKey: string }) {
  const { t, formats } = useReader();
  const publications = usePublications(accessKey);
  const packages = usePackages();
  const nameOf = usePackageNames();
  const list = publications.data;
  const [failed] = [publications, packages].filter(({ error, data }) => error && !data);
  const note = failed && <ErrorNote error={failed.error} retry={failed.refetch} />;
  if (list === undefined) return note ?? null;
  if (list.length === 0) return <span className="quiet">{t('video.unpublished')}</span>;
  const more = list.length - shownPackages;
  return (
    <>
      <ul>
        {list.slice(0, shownPackages).map((one) => (
          <li key={one.packageId}>
            <span dir="auto">{nameOf(one.packageId)}</span>{' '}
            {one.serviceAble === 'N' && <span className="quiet">{t('video.paused')} </span>}
            <Keyed code={one.videoKey} name={nameOf(one.packageId)} />
          </li>
        ))}
        {more > 0 && <li>{t('video.morePackages', { count: formats.number(more) })}</li>}
      </ul>
      {note}
    </>
  );
}

function Keyed({ code, name }: { readonly code: string; readonly name: string }) {
  return (
    <span className="keyed">
      <code>{code}</code>
      <CopyButton text={code} name={name} />
    </span>
  );
}
