/**
 * One frame of the demo's clip, drawn from distances to shapes, so that every edge is smooth
 * without a graphics library or a font.
 */
import { digitDistance } from './digit.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Colour = readonly [red: number, green: number, blue: number];

const night: Colour = [16, 22, 48];
const dusk: Colour = [58, 44, 120];
const glow: Colour = [30, 116, 140];
const ring: Colour = [120, 236, 214];
const tip: Colour = [255, 196, 120];
const ink: Colour = [244, 246, 255];

const dialRadius = 116;
const dialWidth = 7;

/** RGB, three bytes a pixel, row by row. */
export function drawFrame(size: Size, seconds: number, clipSeconds: number): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height * 3);
  const turn = seconds / clipSeconds;
  for (let row = 0, offset = 0; row < size.height; row += 1) {
    for (let column = 0; column < size.width; column += 1, offset += 3) {
      const x = column - size.width / 2 + 0.5;
      const y = row - size.height / 2 + 0.5;
      const colour = foreground(
        background(x / size.width, y / size.height, turn),
        x,
        y,
        seconds,
        turn,
      );
      pixels.set(colour, offset);
    }
  }
  return pixels;
}

/** Three lights that wander in closed curves, so that the clip loops without a seam. */
function background(x: number, y: number, turn: number): Colour {
  const angle = turn * 2 * Math.PI;
  const violet = light(x - 0.34 * Math.cos(angle), y - 0.3 * Math.sin(angle), 0.42);
  const teal = light(x + 0.36 * Math.cos(angle + 0.7), y + 0.26 * Math.sin(angle + 0.7), 0.36);
  return blend(blend(night, dusk, violet), glow, teal * 0.8);
}

function foreground(under: Colour, x: number, y: number, seconds: number, turn: number): Colour {
  const radius = Math.hypot(x, y);
  const around = (Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1;
  const fromDial = Math.abs(radius - dialRadius) - dialWidth;

  let colour = blend(under, ink, 0.1 * coverage(fromDial));
  if (around <= turn) {
    colour = blend(colour, ring, coverage(fromDial) * (0.45 + 0.55 * (around / (turn || 1))));
  }
  const angle = turn * 2 * Math.PI;
  const toTip = Math.hypot(x - dialRadius * Math.sin(angle), y + dialRadius * Math.cos(angle));
  colour = blend(colour, tip, 0.5 * light(toTip / 300, 0, 0.12));
  colour = blend(colour, tip, coverage(toTip - dialWidth * 1.7));

  const whole = Math.floor(seconds);
  const tens = digitDistance(Math.floor(whole / 10), x + 34, y);
  const ones = digitDistance(whole % 10, x - 34, y);
  return blend(colour, ink, coverage(Math.min(tens, ones)));
}

/** 1 in the middle of a light, falling smoothly to 0. */
function light(x: number, y: number, reach: number): number {
  return Math.exp(-(x * x + y * y) / (reach * reach));
}

/** How much of a pixel at this distance from an edge is inside the shape. */
function coverage(distance: number): number {
  return Math.min(Math.max(0.5 - distance, 0), 1);
}

function blend(under: Colour, over: Colour, share: number): Colour {
  return [
    under[0] + (over[0] - under[0]) * share,
    under[1] + (over[1] - under[1]) * share,
    under[2] + (over[2] - under[2]) * share,
  ];
}
