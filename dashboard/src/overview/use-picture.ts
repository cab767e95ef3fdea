import { useFilterTexts } from '../filters/filter-text.ts';
import { readFilters } from '../filters/filters.ts';
import { useReader } from '../language.tsx';
import type { Question } from '../questions.ts';
import { useView } from '../statistics.ts';

interface Pictured {
  /** Of the video that it is about. */
  readonly title?: string | undefined;
  /** What the chart answers; by default, what the page asks for. */
  readonly asked?: Pick<Question, 'sdate' | 'edate' | 'filters'> | undefined;
}

/** What a picture of a chart says besides the chart, and how its file is called. */
export function usePicture(title: string, name: string, of: Pictured = {}) {
  const { formats } = useReader();
  const { view } = useView();
  const { sdate, edate } = of.asked ?? { sdate: view.from, edate: view.to };
  const filters = useFilterTexts(of.asked ? readFilters(of.asked.filters ?? '') : view.filters);
  return {
    title,
    lines: [...(of.title === undefined ? [] : [of.title]), formats.range(sdate, edate), ...filters],
    name: `${name}-${sdate}-${edate}`,
  };
}
