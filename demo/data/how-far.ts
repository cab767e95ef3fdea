/** How far an invented viewer watches: the shapes of retention that real videos have. */
import type { Watching } from './demo-library.ts';
import type { Draw } from './draw.ts';

/** A run of playing, in shares of the video. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Where viewers leave: the share of them that is left at each place, from 1 down. */
const leaving: Readonly<Record<Watching, readonly (readonly [place: number, left: number])[]>> = {
  // Half decide in the first seconds; who stays sees the end.
  clip: [
    [0, 1],
    [0.1, 0.72],
    [0.25, 0.6],
    [0.9, 0.46],
    [1, 0.4],
  ],
  // Hardly anybody leaves before the credits.
  film: [
    [0, 1],
    [0.03, 0.86],
    [0.5, 0.71],
    [0.93, 0.6],
    [0.96, 0.24],
    [1, 0.18],
  ],
  // A little less every minute.
  lecture: [
    [0, 1],
    [0.02, 0.8],
    [0.2, 0.55],
    [0.5, 0.34],
    [0.8, 0.22],
    [1, 0.12],
  ],
  // Many go once the list of ingredients has been seen.
  recipe: [
    [0, 1],
    [0.12, 0.88],
    [0.18, 0.57],
    [0.7, 0.5],
    [1, 0.31],
  ],
  guide: [
    [0, 1],
    [0.3, 0.9],
    [0.55, 0.48],
    [1, 0.35],
  ],
};

/** In order of time: a jump ahead or back begins another run. */
export function drawRuns(draw: Draw, watching: Watching): Run[] {
  const end = placeLeft(leaving[watching], draw.next());
  const chance = draw.next();
  const whole = [{ from: 0, to: end }];
  // The step that everybody wants to see again.
  if (watching === 'recipe' && end > 0.55 && chance < 0.4) {
    return [
      { from: 0, to: 0.55 },
      { from: 0.42, to: end },
    ];
  }
  // The introduction is skipped.
  if (watching === 'lecture' && end > 0.12 && chance < 0.35) return [{ from: 0.1, to: end }];
  // From a link into the middle.
  if (watching === 'film' && end > 0.5 && chance < 0.08) return [{ from: 0.45, to: end }];
  if (watching === 'clip' && end === 1 && chance < 0.3) return [...whole, { from: 0, to: 0.5 }];
  return whole;
}

/** The place at which this share of the viewers is left; 1: the end. */
function placeLeft(curve: (typeof leaving)[Watching], left: number): number {
  for (const [index, [place, share]] of curve.entries()) {
    const [before, more] = curve[index - 1] ?? [0, 1];
    if (left >= share) {
      const part = more === share ? 0 : (more - left) / (more - share);
      return before + (place - before) * part;
    }
  }
  return 1;
}
