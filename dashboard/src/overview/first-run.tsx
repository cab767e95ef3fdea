/** Where nothing was ever played: how to get from here to the first counted play. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EmbedCode } from '../frame/embed-code.tsx';
import { Link } from '../frame/link.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { FirstPlay } from './first-play.tsx';
import { firstVideoKey } from './first-video-key.ts';
import { usePlaysEver } from './use-plays-ever.ts';

export function FirstRun() {
  const { t } = useReader();
  const { scopes } = usePerson();
  const plays = usePlaysEver();
  const [wasEmpty, setEmpty] = useState(false);
  const canManage = scopes.includes('manage');
  const { data: videoKey } = useQuery({
    queryKey: ['first-video-key'],
    queryFn: ({ signal }) => firstVideoKey(signal),
    enabled: canManage && plays === 0,
  });
  const client = useQueryClient();
  const isSeen = wasEmpty && plays !== undefined && plays > 0;
  useEffect(() => {
    // The page below was read when there was nothing.
    if (isSeen) void client.invalidateQueries({ queryKey: ['query'] });
  }, [isSeen, client]);
  if (plays === 0 && !wasEmpty) setEmpty(true);
  if (plays === undefined || !wasEmpty) return null;
  return (
    <section className="panel guide" aria-labelledby="guide">
      <h2 id="guide">{plays === 0 ? t('guide.title') : t('guide.seenTitle')}</h2>
      <ol>
        <li>
          {videoKey === undefined ? t('guide.addVideo') : t('guide.haveVideo')}{' '}
          {canManage && <Link href="/library">{t('nav.library')}</Link>}
        </li>
        <li>
          {t('guide.embed')}
          <EmbedCode videoKey={videoKey ?? undefined} />
        </li>
        <li>
          {t('guide.play')} {videoKey && <a href={`/watch/${videoKey}`}>{t('guide.watch')}</a>}
        </li>
      </ol>
      <FirstPlay />
    </section>
  );
}
