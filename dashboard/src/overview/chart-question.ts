import { parametersOf } from '../statistics.ts';
import type { View } from '../view.ts';

/** What a chart over time asks. */
export function chartQuestion(view: View, accessKey?: string) {
  return {
    ...parametersOf(view),
    accessKey,
    measures: [view.measure],
    dimensions: [view.interval],
    fill: 'zero',
    pageSize: 1_000,
  } as const;
}
