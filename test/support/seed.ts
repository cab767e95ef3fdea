import { randomInt } from 'node:crypto';

const bound = 2 ** 31;

/** The one that is given, or a new one. */
export function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return randomInt(bound);
  const seed = Number(text);
  // fast-check draws negative ones too.
  if (Number.isInteger(seed) && seed >= -bound && seed < bound) return seed;
  throw new Error(`The seed has to be a whole number from ${-bound} to ${bound - 1}`);
}
