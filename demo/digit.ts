/** Digits of seven rounded strokes, as the distance of a point from them. */

const halfWidth = 19;
const halfHeight = 34;
const strokeRadius = 5.5;

type Stroke = readonly [x1: number, y1: number, x2: number, y2: number];

/** Top, upper right, lower right, bottom, lower left, upper left, middle. */
const strokes: readonly Stroke[] = [
  [-halfWidth, -halfHeight, halfWidth, -halfHeight],
  [halfWidth, -halfHeight, halfWidth, 0],
  [halfWidth, 0, halfWidth, halfHeight],
  [-halfWidth, halfHeight, halfWidth, halfHeight],
  [-halfWidth, 0, -halfWidth, halfHeight],
  [-halfWidth, -halfHeight, -halfWidth, 0],
  [-halfWidth, 0, halfWidth, 0],
];

/** Which strokes each digit has, one bit a stroke, in the order above. */
const shapes = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f];

/** Pixels from the edge of the digit's strokes: negative inside. */
export function digitDistance(digit: number, x: number, y: number): number {
  const shape = shapes[digit] ?? 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const [index, stroke] of strokes.entries()) {
    if (shape & (1 << index)) nearest = Math.min(nearest, strokeDistance(stroke, x, y));
  }
  return nearest - strokeRadius;
}

function strokeDistance([x1, y1, x2, y2]: Stroke, x: number, y: number): number {
  const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
  const share = Math.min(Math.max(along, 0), 1);
  return Math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1));
}
