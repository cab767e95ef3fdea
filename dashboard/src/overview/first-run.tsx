/** Where nothing was ever played: how to get from here to the first counted play. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EmbedCode } from '../frame/embed-code.tsx';
import { Link } from '../frame/link.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { FirstPlay } from './first-play.tsx';
import { firstVideoKey } from './first-video-key.ts';
import { usePlaysEver } from './use-plays-ever.ts';

export function FirstRun() {
  const { t } = useReader();
  const { role } = usePerson();
  const plays = usePlaysEver();
  const [wasEmpty, setEmpty] = useState(false);
  const canManage = useMay('manager');
  const { data: videoKey } = useQuery({
    queryKey: ['first-video-key'],
    queryFn: ({ signal }) => firstVideoKey(signal),
    enabled: canManage && plays === 0,
  });
  const client = useQueryClient();
  const isSeen = wasEmpty && plays !== undefined && plays > 0;
  useEffect(() => {
    if (isSeen) void askAgain(client);
  }, [isSeen, client]);
  if (plays === 0 && !wasEmpty) setEmpty(true);
  if (plays === undefined || !wasEmpty) return null;
  // Whoever adds nothing waits for those who do.
  if (role !== undefined && !canManage) {
    return plays === 0 ? <p className="note">{t('nothing.yet')}</p> : null;
  }
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

/**
 * The page below was asked for when there was nothing. An answer on its way knows no more, and a
 * query that has none yet would wait for it: such questions end first.
 */
async function askAgain(client: QueryClient): Promise<void> {
  const queries = { queryKey: ['query'] };
  await client.cancelQueries(queries);
  await client.invalidateQueries(queries);
}
