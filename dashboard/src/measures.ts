/** The measures that the dashboard shows, and how each is written. */

export const measures = ['plays', 'playMs', 'viewers', 'averagePlayMs', 'averageSeen'] as const;
export type Measure = (typeof measures)[number];

/** Made of what each view saw, which takes the service longer than all the others together. */
export const seenMeasure = 'averageSeen' satisfies Measure;

export type Unit = 'count' | 'duration' | 'share';

export const unitOf: Readonly<Record<Measure, Unit>> = {
  plays: 'count',
  playMs: 'duration',
  viewers: 'count',
  averagePlayMs: 'duration',
  averageSeen: 'share',
};
