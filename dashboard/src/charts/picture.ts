/**
 * A chart as a file: an SVG that needs nothing else, with its title and whom it is about, and a
 * PNG of it. Styles are those of the page at this moment, so it has the reader's theme.
 */

export interface Caption {
  readonly title: string;
  /** Below the title, a line each. */
  readonly lines: readonly string[];
  /** What each kind of line means: where there is one in the chart. */
  readonly keys: readonly { readonly selector: string; readonly text: string }[];
}

const namespace = 'http://www.w3.org/2000/svg';
const pad = 20;
const titlePx = 15;
const linePx = 18;
const textPx = 12;
const keyPx = 16;
const pngScale = 2;
const properties = [
  ...['stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap'],
  ...['font-size', 'font-weight', 'text-anchor'],
];

export function svgOf(chart: SVGSVGElement, { title, lines, keys }: Caption): string {
  const page = getComputedStyle(document.body);
  const raised = chart.closest('.panel') ?? document.body;
  const { width, height } = sizeOf(chart);
  const shown = keys.filter(({ selector }) => chart.querySelector(selector)?.getAttribute('d'));
  const headPx = pad + titlePx + lines.length * linePx + (shown.length > 0 ? linePx + 6 : 0) + 12;
  const picture = element('svg', {
    ...{ xmlns: namespace, role: 'img', 'font-family': page.fontFamily },
    ...{ width: width + 2 * pad, height: headPx + height + pad },
    viewBox: `0 0 ${width + 2 * pad} ${headPx + height + pad}`,
  });
  picture.append(
    element('title', {}, [title, ...lines].join(', ')),
    element('rect', {
      ...{ width: '100%', height: '100%' },
      ...painted('fill', getComputedStyle(raised).backgroundColor),
    }),
    text({ x: pad, y: pad + titlePx - 3, size: titlePx, weight: 600 }, title, page.color),
    ...lines.map((line, index) =>
      text({ x: pad, y: pad + titlePx + (index + 1) * linePx - 2 }, line, page.color),
    ),
    ...drawKeys(chart, shown, headPx - 14, page.color),
    drawn(chart, { x: pad, y: headPx, width, height }),
  );
  return new XMLSerializer().serializeToString(picture);
}

export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * pngScale;
  canvas.height = image.naturalHeight * pngScale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The browser made no PNG');
  return blob;
}

function sizeOf(chart: SVGSVGElement) {
  return { width: chart.clientWidth, height: chart.clientHeight };
}

/** A copy with the styles of each element written into it. */
function drawn(chart: SVGSVGElement, place: Readonly<Record<string, number>>): SVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [...chart.querySelectorAll('*')];
  for (const [index, node] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original) writeStyle(node, getComputedStyle(original));
  }
  // What follows the pointer and the film belongs to the moment.
  for (const passing of copy.querySelectorAll('.cursor, .film')) passing.remove();
  for (const node of [copy, ...copy.querySelectorAll('*')]) {
    for (const { name } of [...node.attributes]) {
      if (/^(class|style|aria-|data-)/.test(name)) node.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  return copy;
}

function writeStyle(node: Element, style: CSSStyleDeclaration): void {
  if (node.tagName === 'g' || node.tagName === 'title') return;
  const paint = { ...painted('fill', style.fill), ...painted('stroke', style.stroke) };
  for (const [name, value] of Object.entries(paint)) node.setAttribute(name, value);
  for (const name of properties) {
    if (/^font|^text/.test(name) && node.tagName !== 'text') continue;
    node.setAttribute(name, style.getPropertyValue(name));
  }
}

/** In colours that every program knows: browsers also have colours as `color(srgb ...)`. */
function painted(name: 'fill' | 'stroke', value: string): Record<string, string> {
  if (value === 'none' || value === '') return { [name]: 'none' };
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d');
  if (context === null) return { [name]: value };
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  const color = { [name]: `rgb(${red}, ${green}, ${blue})` };
  return alpha === 255
    ? color
    : { ...color, [`${name}-opacity`]: String(Math.round((alpha / 255) * 1_000) / 1_000) };
}

/** Beside each other; a letter takes about half of its height. */
function drawKeys(chart: Element, keys: Caption['keys'], y: number, color: string): SVGElement[] {
  let x = pad;
  return keys.flatMap((key) => {
    const line = element('path', { d: `M${x} ${y - 4}h${keyPx}` });
    const sample = chart.querySelector(key.selector);
    if (sample) writeStyle(line, getComputedStyle(sample));
    const label = text({ x: x + keyPx + 6, y }, key.text, color);
    x +=
      keyPx + 6 + key.text.length * textPx * (/[\u3000-\uffff]/.test(key.text) ? 0.9 : 0.55) + 18;
    return [line, label];
  });
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly weight?: number;
}

function text({ x, y, size = textPx, weight = 400 }: TextPlace, content: string, color: string) {
  const style = { 'font-size': `${size}px`, 'font-weight': weight, ...painted('fill', color) };
  return element('text', { x, y, ...style }, content);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): SVGElement {
  const node = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute !== 'xmlns') node.setAttribute(attribute, String(value));
  }
  node.textContent = content;
  return node;
}
