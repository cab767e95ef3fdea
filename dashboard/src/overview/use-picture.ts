import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { useFilterTexts } from './filter-text.ts';

/** What a picture of a chart says besides the chart, and how its file is called. */
export function usePicture(title: string, name: string, ofVideo?: string) {
  const { formats } = useReader();
  const { view } = useView();
  const filters = useFilterTexts(view.filters);
  const period = formats.range(view.from, view.to);
  return {
    title,
    lines: [...(ofVideo === undefined ? [] : [ofVideo]), period, ...filters],
    name: `${name}-${view.from}-${view.to}`,
  };
}
