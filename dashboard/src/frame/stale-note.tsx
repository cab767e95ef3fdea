/** What is open stays when it cannot be read anew; this says so, once for the whole page. */
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useReader } from '../language.tsx';
import { ErrorText } from './error-note.tsx';
import { usePerson } from './person.tsx';

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
    </div>
  );
}

function isStale(query: Query): boolean {
  return query.isActive() && query.state.error !== null && query.state.data !== undefined;
}
