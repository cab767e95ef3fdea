import { measures } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import type { View } from '../view.ts';

/** The totals of the view: asked once, whoever shows them. */
export function useFigures(accessKey: string | undefined) {
  return useQuestion(figuresParameters(useView().view, accessKey));
}

export function figuresParameters(view: View, accessKey?: string) {
  return { ...parametersOf(view), accessKey, measures };
}
