/** Where nothing was ever played: how to get from here to the first counted play. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays, todayIn } from '../calendar.ts';
import { EmbedCode } from '../frame/embed-code.tsx';
import { Link } from '../frame/link.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { query } from '../questions.ts';
import { firstVideoKey } from './first-video-key.ts';

const pollMs = 2_000;
const everDays = 3_650;

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
      <p className={plays === 0 ? 'waiting' : 'seen'} role="status">
        {plays === 0 ? t('guide.waiting') : t('guide.seen', { plays })}
      </p>
    </section>
  );
}

/** Of ten years; asked again and again until there is one. */
function usePlaysEver(): number | undefined {
  const { timeZone } = usePerson();
  const today = todayIn(timeZone);
  const { data } = useQuery({
    queryKey: ['plays-ever', today],
    queryFn: ({ signal }) =>
      query({ sdate: addDays(today, -everDays), edate: today, measures: ['plays'] }, signal),
    refetchInterval: ({ state }) => (state.data?.totals.plays === 0 ? pollMs : false),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.totals.plays;
}
