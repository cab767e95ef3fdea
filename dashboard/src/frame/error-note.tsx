import { PlaymeterError } from '../../../client/src/index.ts';
import { useReader } from '../language.tsx';

interface ErrorNoteProps {
  readonly error: unknown;
  readonly retry?: () => unknown;
}

/** What went wrong in words, and what to do next. */
export function ErrorNote({ error, retry }: ErrorNoteProps) {
  const { t } = useReader();
  return (
    <div className="note bad" role="alert">
      <p>{textOf(error, t)}</p>
      {retry && (
        <button type="button" onClick={() => void retry()}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

export function textOf(error: unknown, t: ReturnType<typeof useReader>['t']): string {
  if (!(error instanceof PlaymeterError)) return t('error.unknown');
  const { code, detail } = error;
  if (code === 'NETWORK' || code === 'TIMEOUT') return t('error.network');
  if (code === 'RATE_LIMITED') return t('error.rate', { seconds: error.retryAfterSeconds ?? 60 });
  if (code === 'UNAVAILABLE') return t('error.unavailable');
  if (code === 'UNAUTHENTICATED') return t('error.session');
  return t('error.refused', { detail });
}
