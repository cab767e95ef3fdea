/** A small picture for an invented video: hills or waves under a sky, in colours of its own. */
import { crc32, deflateSync } from 'node:zlib';
import { createDraw } from './draw.ts';

export const pictureWidth = 320;
export const pictureHeight = 180;
const skyShades = 48;
const hills = 4;
/** Indexes into the palette. */
const sun = skyShades;
const firstHill = sun + 1;

type Colour = readonly [red: number, green: number, blue: number];

/** A PNG; the same seed draws the same. */
export function drawPicture(seed: number): Buffer {
  const draw = createDraw(seed);
  const hue = draw.next() * 360;
  const palette: Colour[] = [
    ...Array.from({ length: skyShades }, (_, shade) =>
      colourOf(hue + shade / 2, 0.5, 0.38 + (0.5 * shade) / skyShades),
    ),
    colourOf(hue + 45, 0.8, 0.92),
    ...Array.from({ length: hills }, (_, hill) => colourOf(hue + 190, 0.35, 0.5 - 0.11 * hill)),
  ];
  const [sunX, sunY] = [40 + draw.next() * 240, 30 + draw.next() * 60];
  const radius = 14 + draw.next() * 12;
  /** From the far ones to the near ones, how high up each column they begin. */
  const tops = Array.from({ length: hills }, (_, hill) => {
    const height = 8 + draw.next() * 20 - 2 * hill;
    const [length, start] = [30 + draw.next() * 50, draw.next() * 300];
    return Array.from(
      { length: pictureWidth },
      (_, x) => 88 + hill * 24 + height * Math.sin((x + start) / length),
    );
  });
  return pngOf(palette, (x, y) => {
    const hill = tops.findLastIndex((top) => y > (top[x] ?? 0));
    if (hill >= 0) return firstHill + hill;
    if (Math.hypot(x - sunX, y - sunY) < radius) return sun;
    return Math.min(skyShades - 1, Math.floor((y / pictureHeight) * 1.4 * skyShades));
  });
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** Each pixel as an index into the palette (PNG, colour type 3). */
function pngOf(palette: readonly Colour[], indexAt: (x: number, y: number) => number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(pictureWidth, 0);
  head.writeUInt32BE(pictureHeight, 4);
  head.set([8, 3], 8);
  const rowBytes = pictureWidth + 1;
  const rows = Buffer.alloc(rowBytes * pictureHeight);
  for (let y = 0; y < pictureHeight; y += 1) {
    // The first byte of a row says that it is not filtered.
    for (let x = 0; x < pictureWidth; x += 1) rows[y * rowBytes + 1 + x] = indexAt(x, y);
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', head),
    chunkOf('PLTE', Buffer.from(palette.flat())),
    chunkOf('IDAT', deflateSync(rows, { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
