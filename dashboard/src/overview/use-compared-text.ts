import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { rangeBefore } from '../view.ts';

/** The days that those of the page are compared with, behind them; nothing if there are none. */
export function useComparedText(): string {
  const { t, formats } = useReader();
  const { view } = useView();
  if (view.compare === 'none') return '';
  const { from, to } = rangeBefore(view, view.compare);
  return ` · ${t('compare.with', { range: formats.range(from, to) })}`;
}
