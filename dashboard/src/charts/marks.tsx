/** Something that happened, at a point of a chart or from one to another. */
export interface ChartMark {
  readonly key: string;
  readonly index: number;
  readonly lastIndex: number;
  readonly text: string;
}

/** What is said at a point. */
export function textsAt(marks: readonly ChartMark[], at: number | undefined): string[] {
  if (at === undefined) return [];
  return marks
    .filter(({ index, lastIndex }) => index <= at && at <= lastIndex)
    .map(({ text }) => text);
}

interface MarksProps {
  readonly marks: readonly ChartMark[];
  readonly xOf: (index: number) => number;
  readonly top: number;
  readonly floor: number;
}

const half = 5;

/** Small marks at the bottom of a chart, and bars for what lasted; the tip has their texts. */
export function Marks({ marks, xOf, top, floor }: MarksProps) {
  return marks.map(({ key, index, lastIndex }) => {
    const [x, end] = [xOf(index), xOf(lastIndex)];
    return (
      <g key={key} className="note-mark">
        <line x1={x} x2={x} y1={top} y2={floor} />
        {end > x && <rect x={x} y={floor - half / 2} width={end - x} height={half} />}
        <path d={`M${x - half},${floor}L${x},${floor - 2 * half}L${x + half},${floor}Z`} />
      </g>
    );
  });
}
