import type { RetentionCurve } from './retention-sides.ts';

/** Of the views that reported a position. */
export function shareOf({ data }: RetentionCurve, index: number): number {
  const audience = data.list[index]?.audience ?? 0;
  return data.positionedViews === 0 ? 0 : audience / data.positionedViews;
}
