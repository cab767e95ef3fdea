import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchField } from '../frame/search-field.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

interface VideoSearchProps {
  /** The key of the video that is not looked for. */
  readonly except: string;
  readonly onChoose: (accessKey: string) => void;
}

const mostShown = 8;

/** Videos by a word of their titles; without one, the newest. */
export function VideoSearch({ except, onChoose }: VideoSearchProps) {
  const { t } = useReader();
  const [keyword, setKeyword] = useState('');
  const { data } = useQuery({
    queryKey: ['videos', 'search', keyword],
    queryFn: ({ signal }) =>
      server.manage.videos({ keyword: keyword.trim(), pageSize: mostShown + 1 }, { signal }),
    placeholderData: (last) => last,
  });
  const found = (data?.list ?? []).filter(({ accessKey }) => accessKey !== except);
  return (
    <div className="video-search">
      <SearchField label={t('retention.search')} text={keyword} onChange={setKeyword} />
      <p role="status" className={found.length > 0 ? 'hidden' : 'quiet'}>
        {data && found.length === 0 && t('retention.noVideo')}
      </p>
      {found.slice(0, mostShown).map(({ accessKey, title }) => (
        <button
          key={accessKey}
          type="button"
          className="chip"
          dir="auto"
          onClick={() => onChoose(accessKey)}
        >
          {title || accessKey}
        </button>
      ))}
    </div>
  );
}
