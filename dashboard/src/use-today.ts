import { useSyncExternalStore } from 'react';
import { todayIn } from './calendar.ts';

const lookMs = 30_000;

/** The day there, also past midnight: a page may be left open for weeks. */
export function useToday(timeZone: string): string {
  return useSyncExternalStore(listen, () => todayIn(timeZone));
}

function listen(notice: () => void): () => void {
  const timer = setInterval(notice, lookMs);
  document.addEventListener('visibilitychange', notice);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', notice);
  };
}
