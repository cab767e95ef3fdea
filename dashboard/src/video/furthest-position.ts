/** As far as anybody has watched a video: its length, once somebody has seen its end. */
import type { Retention } from '../questions.ts';

type Curve = Pick<Retention, 'list'>;

const dayMs = 86_400_000;
const parts = 1_000;
const exactEnoughMs = 500;

/** Closes in on it by curves of shorter and shorter lengths; 0 if no position is known. */
export async function furthestPosition(
  ask: (cut: { readonly lengthMs: number; readonly parts: number }) => Promise<Curve>,
): Promise<number> {
  let lengthMs = dayMs;
  for (;;) {
    const { list } = await ask({ lengthMs, parts });
    const reachedMs = list.findLast(({ audience }) => audience > 0)?.toMs ?? 0;
    const isExact = lengthMs / parts <= exactEnoughMs || reachedMs > lengthMs / 2;
    if (isExact) return Math.round(reachedMs / 1_000) * 1_000;
    if (reachedMs === 0) return 0;
    lengthMs = reachedMs;
  }
}
