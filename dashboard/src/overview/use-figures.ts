import { measures, seenMeasure } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import type { View } from '../view.ts';

/** The totals of the view, but for what was seen: asked once, whoever shows them. */
export function useFigures(accessKey: string | undefined) {
  return useQuestion(figuresParameters(useView().view, accessKey));
}

/** What was seen, asked when the other totals stand: they do not wait for it. */
export function useSeen(accessKey: string | undefined) {
  const { isSuccess, isPlaceholderData } = useFigures(accessKey);
  return useQuestion(
    { ...parametersOf(useView().view), accessKey, measures: [seenMeasure] },
    { enabled: isSuccess && !isPlaceholderData },
  );
}

export function figuresParameters(view: View, accessKey?: string) {
  return { ...parametersOf(view), accessKey, measures: soonMeasures };
}

const soonMeasures = measures.filter((measure) => measure !== seenMeasure);
