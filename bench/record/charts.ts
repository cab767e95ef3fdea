/** The growth curves as SVG in docs/: small, readable in light and dark, without a library. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Series } from '../figure.ts';
import { shown } from './table.ts';

const docs = join(import.meta.dirname, '../../docs');
const width = 760;
const plot = { left: 56, top: 40, right: 470, bottom: 330 };
const height = 380;
const colours = ['#2a78b5', '#c4561c', '#3d8f4f', '#8a5bb0'];
const dashes = ['', '6 3', '2 3'];

export async function drawCharts(series: readonly Series[]): Promise<void> {
  for (const one of series) {
    const name = one.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    await writeFile(join(docs, `${name}.svg`), chartOf(one));
  }
}

function chartOf({ title, grows, lines }: Series): string {
  const points = lines.flatMap((line) => line.points);
  const most = niceAbove(Math.max(...points.map(({ ms }) => ms)));
  const steps = [...new Set(points.map(({ at }) => at))];
  const x = (at: number) =>
    plot.left + (steps.indexOf(at) / Math.max(1, steps.length - 1)) * (plot.right - plot.left);
  const y = (ms: number) => plot.bottom - (ms / most) * (plot.bottom - plot.top);
  const parts = [
    text(plot.left, 22, title, 'font-weight="600" font-size="15"'),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
      `<path d="M${plot.left} ${y(most * share)}H${plot.right}" stroke="#8884"/>`,
      text(plot.left - 8, y(most * share) + 4, shown(most * share), 'text-anchor="end"'),
    ]),
    ...steps.map((at) =>
      text(x(at), plot.bottom + 20, at.toLocaleString('en-US'), 'text-anchor="middle"'),
    ),
    text(
      (plot.left + plot.right) / 2,
      plot.bottom + 42,
      `${grows}; median, milliseconds`,
      'text-anchor="middle"',
    ),
    ...lines.flatMap((line, index) => lineOf(line, index, x, y)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  font-family="system-ui, sans-serif" font-size="12" fill="#777">
<title>${escapeXml(title)}</title>
${parts.join('\n')}
</svg>
`;
}

/** One colour a kind of question, one dash a filter. */
function lineOf(
  { name, points }: Series['lines'][number],
  index: number,
  x: (at: number) => number,
  y: (ms: number) => number,
): string[] {
  const colour = colours[index % colours.length];
  const dash = dashes[Math.floor(index / colours.length) % dashes.length];
  const style = `stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}" fill="none"`;
  const path = points.map(({ at, ms }) => `${x(at).toFixed(1)} ${y(ms).toFixed(1)}`).join('L');
  const row = plot.top + 12 + index * 22;
  const slowest = points.at(-1)?.ms ?? 0;
  return [
    `<path d="M${path}" ${style}/>`,
    `<path d="M${plot.right + 24} ${row - 4}h28" ${style}/>`,
    text(plot.right + 60, row, `${name}: ${shown(slowest)} ms`),
  ];
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`;
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
