import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { rangeBefore } from '../view.ts';

/**
 * The days that those of the page are compared with, behind them; nothing if there are none. Of the
 * year before, the interface cuts no day at the time that it is now.
 */
export function useComparedText(): string {
  const { t, formats } = useReader();
  const { view } = useView();
  const { today } = usePerson();
  if (view.compare === 'none') return '';
  const { from, to } = rangeBefore(view, view.compare);
  const isWhole = view.compare === 'year' && view.to === today;
  const text = t(isWhole ? 'compare.withWhole' : 'compare.with', {
    range: formats.range(from, to),
  });
  return ` · ${text}`;
}
