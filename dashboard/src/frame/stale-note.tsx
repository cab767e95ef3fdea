/** What is open stays when it cannot be read anew, or not yet: this says so, once for the page. */
import { notifyManager, type Query, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';
import { type MessageName, useReader } from '../language.tsx';
import { ErrorText } from './error-note.tsx';
import { usePerson } from './person.tsx';

/** A reader who waits for longer wants to know what for. */
const lateMs = 3_000;

export function StaleNote() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const listen = useCallback(
    (notice: () => void) => cache.subscribe(notifyManager.batchCalls(notice)),
    [cache],
  );
  const stale = useSyncExternalStore(listen, () => cache.getAll().find(isStale)?.state);
  const late = useLate(cache);
  const retry = () => client.refetchQueries({ type: 'active', predicate: isStale });
  return (
    <div role="status" className="stale">
      {stale && (
        <div className="note bad">
          <p>
            <ErrorText error={stale.error} />{' '}
            {t('error.stale', { time: formats.moment(new Date(stale.dataUpdatedAt), timeZone) })}
          </p>
          <button type="button" onClick={() => void retry()}>
            {t('error.retry')}
          </button>
        </div>
      )}
      {!stale && late && (
        <p className="note">
          {t(whyLate(late))} {t('late.meanwhile')}
        </p>
      )}
    </div>
  );
}

function isStale(query: Query): boolean {
  return query.isActive() && query.state.error !== null && query.state.data !== undefined;
}

function isWaiting(query: Query): boolean {
  const { status, fetchStatus } = query.state;
  return query.isActive() && status === 'pending' && fetchStatus !== 'idle';
}

/** The state of what has been waited for the longest, once that is too long. */
function useLate(cache: QueryCache): Query['state'] | undefined {
  const [late, setLate] = useState<Query['state']>();
  useEffect(() => {
    const since = new Map<Query, number>();
    const timers = new Set<number>();
    const look = () => {
      const now = performance.now();
      const waiting = cache.getAll().filter(isWaiting);
      for (const query of since.keys()) if (!waiting.includes(query)) since.delete(query);
      for (const query of waiting) {
        if (since.has(query)) continue;
        since.set(query, now);
        timers.add(window.setTimeout(look, lateMs));
      }
      setLate([...since].find(([, begun]) => now - begun >= lateMs)?.[0].state);
    };
    look();
    const stop = cache.subscribe(notifyManager.batchCalls(look));
    return () => {
      stop();
      for (const timer of timers) window.clearTimeout(timer);
    };
  }, [cache]);
  return late;
}

/** By what the last attempt was answered; it goes on. */
function whyLate({ fetchStatus, fetchFailureReason: failure }: Query['state']): MessageName {
  if (fetchStatus === 'paused') return 'late.network';
  if (!(failure instanceof PlaymeterError)) return 'late.slow';
  if (failure.code === 'RATE_LIMITED') return 'late.rate';
  return failure.status === undefined ? 'late.network' : 'late.unavailable';
}
