import type { ChartMark } from './chart-mark.ts';

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
