import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useReader } from '../language.tsx';
import { usePlaysEver } from './use-plays-ever.ts';

/** Whether the tracker works: waits for the first play and sees it, without being asked. */
export function FirstPlay({ accessKey }: { readonly accessKey?: string }) {
  const { t, formats } = useReader();
  const client = useQueryClient();
  const plays = usePlaysEver(accessKey);
  const [wasNone, setNone] = useState(false);
  const isSeen = plays !== undefined && plays > 0;
  const hasCome = wasNone && isSeen;
  if (plays === 0 && !wasNone) setNone(true);
  useEffect(() => {
    if (hasCome) void askAgain(client);
  }, [hasCome, client]);
  return (
    <p className={isSeen ? 'seen' : 'waiting'} role="status">
      {isSeen ? t('guide.seen', { plays: formats.number(plays) }) : t('guide.waiting')}
    </p>
  );
}

/**
 * The page around it was asked for when there was nothing. An answer on its way knows no more, and
 * a query that has none yet would wait for it: such questions end first.
 */
async function askAgain(client: QueryClient): Promise<void> {
  const queries = { queryKey: ['query'] };
  await client.cancelQueries(queries);
  await client.invalidateQueries(queries);
}
