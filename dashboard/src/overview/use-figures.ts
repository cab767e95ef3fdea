import { type Query, useQueryClient } from '@tanstack/react-query';
import { headlines, isOfQuality, measures, seenMeasure } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import type { View } from '../view.ts';

/** The totals of the page, but for what was seen: asked once, whoever shows them. */
export function useFigures(accessKey: string | undefined) {
  return useQuestion(figuresParameters(useView().view, accessKey));
}

/** Nothing else of the page is asked for, or said to fail, until they are there. */
export function useFiguresFailed(accessKey: string | undefined): boolean {
  const { error, data } = useFigures(accessKey);
  return error !== null && data === undefined;
}

/** All that failed is asked for again: one note stands for all of it. */
export function useAskAgain(): () => Promise<void> {
  const client = useQueryClient();
  const predicate = ({ state }: Query) => state.status === 'error';
  return () => client.refetchQueries({ type: 'active', predicate });
}

/** What was seen of the views of all totals, asked when these stand: they do not wait for it. */
export function useShareSeen(accessKey: string | undefined) {
  const { view } = useView();
  const { data: all, isSuccess, isPlaceholderData } = useFigures(accessKey);
  const seen = useQuestion(
    { ...parametersOf(view), accessKey, measures: [seenMeasure] },
    { enabled: isSuccess && !isPlaceholderData && !isOfQuality(view.measure) },
  );
  const views = all?.totals.views;
  if (!seen.data || views === undefined) return seen;
  return { ...seen, data: { ...seen.data, totals: { ...seen.data.totals, views } } };
}

export function figuresParameters(view: View, accessKey?: string) {
  const asked = isOfQuality(view.measure) ? qualityFigures : soonMeasures;
  return { ...parametersOf(view), accessKey, measures: asked };
}

/** The views beside what was seen of them: counting viewers counts them too. */
const soonMeasures = [...measures.filter((measure) => measure !== seenMeasure), 'views'] as const;
/** With what shows whether anything was played at all. */
const qualityFigures = [...headlines, 'plays', 'playMs'] as const;
