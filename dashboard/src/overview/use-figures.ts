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

/** What was seen, and of how many views it is known, asked when the other totals stand: they do not wait for it. */
export function useShareSeen(accessKey: string | undefined) {
  const { view } = useView();
  const { isSuccess, isPlaceholderData } = useFigures(accessKey);
  return useQuestion(
    { ...parametersOf(view), accessKey, measures: [seenMeasure, 'views'] },
    { enabled: isSuccess && !isPlaceholderData && !isOfQuality(view.measure) },
  );
}

export function figuresParameters(view: View, accessKey?: string) {
  const asked = isOfQuality(view.measure) ? qualityFigures : soonMeasures;
  return { ...parametersOf(view), accessKey, measures: asked };
}

const soonMeasures = measures.filter((measure) => measure !== seenMeasure);
/** With what shows whether anything was played at all. */
const qualityFigures = [...headlines, 'plays', 'playMs'] as const;
