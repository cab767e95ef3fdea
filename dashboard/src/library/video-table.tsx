import { memo } from 'react';
import type { Folder, Video } from '../../../client/src/index.ts';
import { Link } from '../frame/link.tsx';
import { useMay } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { useReader } from '../language.tsx';
import { usePageUrl, withSearch } from '../page-url.ts';
import { usePlays } from './use-plays.ts';

interface VideoTableProps {
  readonly videos: readonly Video[];
  /** Where the videos may be in any of them. */
  readonly folders: readonly Folder[] | undefined;
  readonly isSearch: boolean;
  readonly onOpen: (accessKey: string) => void;
}

/** Drawn anew for other videos alone: there may be a thousand. */
export const VideoTable = memo(function VideoTable(props: VideoTableProps) {
  const { videos, folders, isSearch, onOpen } = props;
  const { t, formats } = useReader();
  const mayChange = useMay('manager');
  const plays = usePlays(videos.map(({ accessKey }) => accessKey));
  const names = new Map(folders?.map(({ folderId, folderName }) => [folderId, folderName]));
  const inFolder = folders === undefined ? [] : (['folder'] as const);
  const actions = mayChange ? (['actions'] as const) : [];
  const heads = ['title', ...inFolder, 'length', 'added', 'plays', ...actions] as const;
  return (
    <RecordTable
      className={mayChange ? 'videos' : 'videos read'}
      caption={t('library.videos')}
      heads={heads.map((head) => t(`video.${head}`))}
      empty={t(isSearch ? 'library.nothingFound' : mayChange ? 'library.empty' : 'library.nothing')}
      rows={videos.map(
        ({ accessKey, title, duration, cdate, folderId, packageCount, thumbnailUrl }) => ({
          key: accessKey,
          cells: [
            <Titled
              key="title"
              name={title || accessKey}
              {...{ accessKey, packageCount, thumbnailUrl }}
            />,
            ...inFolder.map(() => <Cut key="folder" text={names.get(folderId) ?? `${folderId}`} />),
            duration > 0 ? formats.position(duration) : t('value.unknown'),
            formats.date(cdate),
            plays === undefined ? '' : formats.number(plays(accessKey)),
            ...actions.map(() => (
              <button
                key="open"
                type="button"
                aria-label={t('action.of', { action: t('video.manage'), name: title || accessKey })}
                onClick={() => onOpen(accessKey)}
              >
                {t('video.manage')}
              </button>
            )),
          ],
        }),
      )}
    />
  );
});

/** The whole of a text that is longer than its column is in its tip. */
function Cut({ text }: { readonly text: string }) {
  return (
    <span className="cut" dir="auto" title={text}>
      {text}
    </span>
  );
}

interface TitledProps {
  readonly accessKey: string;
  readonly name: string;
  readonly packageCount: number | undefined;
  readonly thumbnailUrl: string;
}

function Titled({ accessKey, name, packageCount, thumbnailUrl }: TitledProps) {
  const { t } = useReader();
  const url = usePageUrl();
  return (
    <span className="titled">
      <Thumbnail url={thumbnailUrl} />
      <span>
        <Link className="cut" title={name} href={`/videos/${encodeURIComponent(accessKey)}`}>
          {name}
        </Link>
        {packageCount === 0 && (
          <Link className="tag" href={withSearch(url, { code: accessKey })}>
            {t('video.publish')}
          </Link>
        )}
      </span>
    </span>
  );
}
