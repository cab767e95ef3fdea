import { useReader } from '../language.tsx';

/** In place of what is on its way; seen only where that takes longer than a moment. */
export function Loading() {
  const { t } = useReader();
  return (
    <p className="loading quiet" role="status">
      {t('loading')}
    </p>
  );
}
