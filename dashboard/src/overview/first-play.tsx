import { useReader } from '../language.tsx';
import { usePlaysEver } from './use-plays-ever.ts';

/** Whether the tracker works: waits for the first play and sees it, without being asked. */
export function FirstPlay({ accessKey }: { readonly accessKey?: string }) {
  const { t, formats } = useReader();
  const plays = usePlaysEver(accessKey);
  const isSeen = plays !== undefined && plays > 0;
  return (
    <p className={isSeen ? 'seen' : 'waiting'} role="status">
      {isSeen ? t('guide.seen', { plays: formats.number(plays) }) : t('guide.waiting')}
    </p>
  );
}
