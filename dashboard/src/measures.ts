/** The measures that the dashboard shows, and how each is written. */

export const measures = ['plays', 'playMs', 'viewers', 'averagePlayMs', 'averageSeen'] as const;
export type Measure = (typeof measures)[number];

/** Made of what each view saw, which takes the service longer than all the others together. */
export const seenMeasure = 'averageSeen' satisfies Measure;

/** A share of fewer views says nothing of others; as in mails (src/vocabulary/measures.ts). */
const leastViewsOfShare = 5;

type Values = { readonly [Name in Measure | 'positionedViews']?: number | null };

/** As it is drawn: null too where it rests on too few views. */
export function drawnValue(
  values: Values | null | undefined,
  measure: Measure,
): number | null | undefined {
  const isShare = unitOf[measure] === 'share';
  if (isShare && (values?.positionedViews ?? 0) < leastViewsOfShare) return null;
  return values?.[measure];
}

/** Where nothing was played, that is 0 plays, but no average. */
export function valueOfNothing(measure: Measure): 0 | null {
  return measure === 'averagePlayMs' || measure === 'averageSeen' ? null : 0;
}

export type Unit = 'count' | 'duration' | 'share';

export const unitOf: Readonly<Record<Measure, Unit>> = {
  plays: 'count',
  playMs: 'duration',
  viewers: 'count',
  averagePlayMs: 'duration',
  averageSeen: 'share',
};
