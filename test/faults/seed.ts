import { randomInt } from 'node:crypto';

const bound = 2 ** 31;

/** The one that is given, or a new one. */
export function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return randomInt(bound);
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed >= bound) {
    throw new Error(`The seed has to be a whole number from 0 to ${bound - 1}`);
  }
  return seed;
}
