/** Where the largest shares of the audience are lost, in the order of the film. */
import type { Retention, RetentionPart } from '../questions.ts';

const mostPlaces = 3;
const leastLost = 0.03;
/** What each part would lose where viewers leave evenly, and half as much again. */
const leastLostByPart = 1.5;
/** Of smaller parts, each loses too few to tell a fall from chance. */
const mostParts = 100;
/** Falls that are nearer to each other are one. */
const leastApartMs = 1_000;

export interface LeavingPlace {
  readonly fromMs: number;
  /** Where the last of them left; `fromMs` if all left at once. */
  readonly toMs: number;
  /** Share of the views that reported a position. */
  readonly lost: number;
}

interface Fall {
  /** The last part that saw all of them. */
  readonly before: RetentionPart;
  readonly first: RetentionPart;
  last: RetentionPart;
}

export function leavingPlaces({
  list,
  positionedViews,
}: Pick<Retention, 'list' | 'positionedViews'>): LeavingPlace[] {
  const parts = merged(list);
  return fallsOf(parts, (positionedViews * leastLostByPart) / parts.length)
    .map(({ before, first, last }) => ({
      ...{ fromMs: first.fromMs, toMs: last.fromMs },
      lost: (before.audience - last.audience) / positionedViews,
    }))
    .filter(({ lost }) => lost >= leastLost)
    .sort((left, right) => right.lost - left.lost)
    .slice(0, mostPlaces)
    .sort((left, right) => left.fromMs - right.fromMs);
}

/** At most a hundred parts, each with the audience that it begins with. */
function merged(list: readonly RetentionPart[]): RetentionPart[] {
  const count = Math.ceil(list.length / mostParts);
  const firsts = list.filter((_, index) => index % count === 0);
  return firsts.map((first, part) => ({
    ...first,
    part,
    toMs: firsts[part + 1]?.fromMs ?? first.toMs,
  }));
}

/** Neighbouring parts in which many leave are one fall, also with a calm part between them. */
function fallsOf(list: readonly RetentionPart[], leastViews: number): Fall[] {
  const falls: Fall[] = [];
  for (const [index, part] of list.entries()) {
    const before = list[index - 1];
    if (before === undefined || before.audience <= part.audience) continue;
    if (before.audience - part.audience < leastViews) continue;
    const fall = falls.at(-1);
    if (fall && isNear(fall.last, part)) fall.last = part;
    else falls.push({ before, first: part, last: part });
  }
  return falls;
}

function isNear(last: RetentionPart, part: RetentionPart): boolean {
  return part.part - last.part <= 2 || part.fromMs - last.toMs < leastApartMs;
}
