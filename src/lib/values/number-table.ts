/**
 * Numbers by keys of 128 bits, in bounded memory outside the JavaScript heap: hundreds of thousands
 * of objects that stay for minutes would cost the garbage collector more than the table does.
 */
import { randomInt } from 'node:crypto';

/**
 * Four whole numbers of 32 bits. Keys that differ in the third alone, which of one is the bitwise
 * complement of the other's, are found side by side: whoever asks for both waits for memory once.
 */
export type NumberKey = readonly [number, number, number, number];

export interface NumberTable {
  /** Undefined if it was never set, or is forgotten. */
  get(key: NumberKey): number | undefined;
  /** Forgets only what was not used while so many others were. The value is not negative. */
  set(key: NumberKey, value: number): void;
}

/** Remembers the keys used last: at least `least` of them, at most twice as many. */
export function createNumberTable(least: number): NumberTable {
  let young = createGeneration(least);
  let old: Generation | undefined;
  const set = (key: NumberKey, value: number): void => {
    if (young.set(key, value)) return;
    const next = old ?? createGeneration(least);
    old = young;
    young = next;
    young.clear();
    young.set(key, value);
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old?.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
}

const bytesOfPlace = 24;
/** Of its first word, in the array of words. */
const keyAt = (place: number) => 6 * place;
/** In the array of values. */
const valueAt = (place: number) => 3 * place + 2;

type Generation = ReturnType<typeof createGeneration>;

/** At most this share of the places is taken, so that a search ends after a few. */
const mostTaken = 0.5;

/** Open addressing; a place without a value holds 0, any other its value and 1. */
function createGeneration(most: number) {
  const bits = Math.ceil(Math.log2(most / mostTaken));
  const places = 2 ** bits;
  // Of each place its key and then its value, so that both are mostly in one line of the cache.
  const bytes = new ArrayBuffer(places * bytesOfPlace);
  const words = new Uint32Array(bytes);
  const values = new Float64Array(bytes);
  // Drawn at each start: senders choose the keys, and could else choose some that fall together.
  const [m0, m1, m2, m3] = [randomOdd(), randomOdd(), randomOdd(), randomOdd()];
  let taken = 0;

  const placeOf = (key: NumberKey): number => {
    // One by one: taking an array apart makes an iterator.
    const k0 = key[0];
    const k1 = key[1];
    const k2 = key[2];
    const k3 = key[3];
    // The same of a number and its complement.
    const third = k2 ^ (k2 >> 31);
    const mixed = Math.imul(k0, m0) + Math.imul(k1, m1) + Math.imul(third, m2) + Math.imul(k3, m3);
    let place = (mixed | 0) >>> (32 - bits);
    while (values[valueAt(place)] !== 0) {
      const at = keyAt(place);
      const isHere =
        words[at] === k0 && words[at + 1] === k1 && words[at + 2] === k2 && words[at + 3] === k3;
      if (isHere) break;
      place = (place + 1) % places;
    }
    return place;
  };

  return {
    get(key: NumberKey): number | undefined {
      const value = values[valueAt(placeOf(key))] as number;
      return value === 0 ? undefined : value - 1;
    },
    /** False if there is no place left for the key. */
    set(key: NumberKey, value: number): boolean {
      const place = placeOf(key);
      if (values[valueAt(place)] === 0) {
        if (taken === most) return false;
        taken += 1;
        for (let word = 0; word < 4; word += 1) words[keyAt(place) + word] = key[word] as number;
      }
      values[valueAt(place)] = value + 1;
      return true;
    },
    clear(): void {
      values.fill(0);
      taken = 0;
    },
  };
}

function randomOdd(): number {
  return randomInt(2 ** 31) * 2 + 1;
}
