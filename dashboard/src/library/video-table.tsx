import type { Video } from '../../../client/src/index.ts';
import { Link } from '../frame/link.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';

interface VideoTableProps {
  readonly videos: readonly Video[];
  readonly isSearch: boolean;
  readonly onOpen: (accessKey: string) => void;
}

export function VideoTable({ videos, isSearch, onOpen }: VideoTableProps) {
  const { t, formats } = useReader();
  const heads = ['title', 'length', 'added', 'key', 'actions'] as const;
  return (
    <RecordTable
      caption={t('library.videos')}
      heads={heads.map((head) => t(`video.${head}`))}
      empty={t(isSearch ? 'library.nothingFound' : 'library.empty')}
      rows={videos.map(({ accessKey, title, duration, cdate }) => ({
        key: accessKey,
        cells: [
          <Link key="title" href={`/videos/${encodeURIComponent(accessKey)}`}>
            {title || accessKey}
          </Link>,
          duration > 0 ? formats.position(duration) : t('value.unknown'),
          formats.date(cdate),
          <code key="key">{accessKey}</code>,
          <button key="open" type="button" onClick={() => onOpen(accessKey)}>
            {t('video.manage')}
          </button>,
        ],
      }))}
    />
  );
}
