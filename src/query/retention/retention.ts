/** How far people watch one video: the parts of its length, and how many saw each. */
import type { Retention, RetentionPart } from '../../wire/questions/curves.ts';
import { halfUp } from '../ranges/rounding.ts';

/** The video, cut into parts: the border before a part is at floor(part * length / parts). */
export interface CutVideo {
  readonly lengthMs: number;
  readonly parts: number;
}

/**
 * What changes in one part, as text, for numbers of any size: how many more views see this part
 * than the one before, how many more ranges have begun in it than ended, and the sum of the
 * positions where they begin minus the sum of those where they end. Part -1 is the whole:
 * positioned views, views and what they saw (ms); part -2, how many counted days were read.
 */
export interface PartChange {
  readonly part: number;
  readonly audience: string;
  readonly ranges: string;
  readonly positionsMs: string;
}

export const wholePart = -1;
export const daysPart = -2;

/** All parts, from the changes between them. */
export function computeRetention(changes: readonly PartChange[], video: CutVideo): Retention {
  const { lengthMs, parts } = video;
  const of = new Map(changes.map((change) => [change.part, change]));
  const whole = of.get(wholePart);
  const positioned = BigInt(whole?.audience ?? 0);
  const length = BigInt(lengthMs);
  const borderOf = (part: number): bigint => (BigInt(part) * length) / BigInt(parts);
  const list: RetentionPart[] = [];
  let audience = 0;
  let ranges = 0n;
  for (let part = 0; part < parts; part += 1) {
    const change = of.get(part);
    const [from, to] = [borderOf(part), borderOf(part + 1)];
    const begun = BigInt(change?.ranges ?? 0);
    // Those that go on from before play all of the part, but for what the changes in it take away.
    const playedMs = ranges * (to - from) + begun * to - BigInt(change?.positionsMs ?? 0);
    audience += Number(change?.audience ?? 0);
    ranges += begun;
    const isSeen = to > from && positioned > 0n;
    list.push({
      ...{ part, fromMs: Number(from), toMs: Number(to) },
      audience: to > from ? audience : 0,
      watched: isSeen ? halfUp(playedMs, (to - from) * positioned, 3) : 0,
    });
  }
  return {
    lengthMs,
    views: Number(whole?.ranges ?? 0),
    positionedViews: Number(positioned),
    averageSeen:
      positioned > 0n ? halfUp(BigInt(whole?.positionsMs ?? 0), length * positioned, 4) : null,
    list,
  };
}
