/** Where the largest shares of the audience are lost, in the order of the film. */
import type { Retention, RetentionPart } from '../questions.ts';

const mostPlaces = 3;
const leastLost = 0.03;

interface LeavingPlace {
  readonly part: RetentionPart;
  /** Share of the views that told a position. */
  readonly lost: number;
}

export function leavingPlaces({ list, positionedViews }: Retention): LeavingPlace[] {
  return list
    .map((part, index) => {
      const before = list[index - 1]?.audience ?? part.audience;
      return { part, lost: (before - part.audience) / positionedViews };
    })
    .filter(({ lost }) => lost >= leastLost)
    .sort((left, right) => right.lost - left.lost)
    .slice(0, mostPlaces)
    .sort((left, right) => left.part.part - right.part.part);
}
