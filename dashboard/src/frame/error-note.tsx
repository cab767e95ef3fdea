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
      <p>
        <ErrorText error={error} />
      </p>
      {retry && (
        <button type="button" onClick={() => void retry()}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

/** In a text, until the detail takes its place: no text has a line break. */
const placeOfDetail = '\n';

/** What the service says of a refusal it says in English, whatever the language of the page. */
export function ErrorText({ error }: Pick<ErrorNoteProps, 'error'>) {
  const { t } = useReader();
  const [before, after] = textOf(error, t, placeOfDetail).split(placeOfDetail);
  if (!(error instanceof PlaymeterError) || after === undefined) return before;
  return (
    <>
      {before}
      <span lang="en">{error.detail}</span>
      {after}
    </>
  );
}

function textOf(error: unknown, t: ReturnType<typeof useReader>['t'], detail: string): string {
  if (!(error instanceof PlaymeterError)) return t('error.unknown');
  const { code } = error;
  if (code === 'NETWORK' || code === 'TIMEOUT') return t('error.network');
  if (code === 'RATE_LIMITED') return t('error.rate', { seconds: error.retryAfterSeconds ?? 60 });
  if (code === 'UNAVAILABLE') return t('error.unavailable');
  if (code === 'UNAUTHENTICATED') return t('error.session');
  return t('error.refused', { detail });
}
