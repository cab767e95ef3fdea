import { measures } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';

/** The totals of the view: asked once, whoever shows them. */
export function useFigures(accessKey: string | undefined) {
  const { view } = useView();
  return useQuestion({ ...parametersOf(view), accessKey, measures });
}
