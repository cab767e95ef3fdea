/** Where nothing was ever played: how to get from here to the first counted play. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
  if (plays === 0 && !wasEmpty) setEmpty(true);
  if (plays === undefined || !wasEmpty) return null;
  // Whoever adds nothing waits for those who do.
  if (role !== undefined && !canManage) {
    return plays === 0 ? <p className="note">{t('nothing.yet')}</p> : null;
  }
  return (
    <section className="panel guide" aria-labelledby="guide">
      <h2 id="guide">{plays === 0 ? t('guide.title') : t('guide.seenTitle')}</h2>
      {canManage && videoKey === null && <p>{t('guide.begin')}</p>}
      {(!canManage || videoKey) && (
        <ol>
          <li>
            {t('guide.embed')}
            <EmbedCode videoKey={videoKey ?? undefined} />
          </li>
          <li>
            {t('guide.play')} {videoKey && <a href={`/watch/${videoKey}`}>{t('guide.watch')}</a>}
          </li>
        </ol>
      )}
      {canManage && (
        <Link className={videoKey === null ? 'button primary' : 'button'} href="/library?add=1">
          {t('add.title')}
        </Link>
      )}
      <FirstPlay />
    </section>
  );
}
