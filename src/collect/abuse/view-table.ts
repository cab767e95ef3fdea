/**
 * What is remembered of views that were judged, in bounded memory. Suspect views are remembered
 * apart, so that a flood of them forgets no usual one. A usual view that was forgotten is judged
 * again as a new one.
 */
import { randomInt } from 'node:crypto';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import { createNumberTable, type NumberKey } from '../../lib/values/number-table.ts';
import { type Fact, sameBeginningMs } from '../../store/facts.ts';

/** Views and their stretches together, those used last; up to twice as many. Some 25 MB. */
const leastRemembered = 2 ** 18;
export const mostSuspectViews = 100_000;

/** A view of one video: what the store counts as one. */
export type ViewIdentity = Pick<Fact, 'packageId' | 'videoId' | 'view'>;

/** Made once for a beacon; several questions are asked about it. */
export interface JudgedView {
  readonly key: NumberKey;
  readonly identity: ViewIdentity;
}

export interface JudgedViews {
  /** The suspect that the whole view belongs to. */
  suspectOf(view: JudgedView): string | undefined;
  setApart(view: JudgedView, suspect: string): void;
  /** Time of all the stretches of a usual view that is usual; undefined if it is not known. */
  usualMs(view: JudgedView): number | undefined;
  /**
   * What is usual of one of its stretches; undefined if it is not known, or began more than a
   * minute before or after.
   */
  usualMsOf(view: JudgedView, stretch: number, atMs: number): number | undefined;
  /** Whether the stretch was last seen to begin at just this time: any other is another row. */
  hasRow(view: JudgedView, stretch: number, atMs: number): boolean;
  /** Whether anything is known of the stretch. */
  knows(view: JudgedView, stretch: number): boolean;
  /** Remembers a view as usual. */
  admit(view: JudgedView): void;
  /** Remembers how much of a usual view is usual. */
  grow(view: JudgedView, usualMs: number): void;
  /** The same of one of its stretches; `atMs` undefined: it may have begun at any time. */
  growStretch(view: JudgedView, stretch: number, usualMs: number, atMs?: number): void;
  /**
   * Whether what begins here and lasts so long has nothing in common with what is known of the
   * stretch, and began more than a minute before or after it.
   */
  beganElsewhere(view: JudgedView, stretch: number, atMs: number, playMs: number): boolean;
  /** How many stretches of the view are counted on this day, at least; set by `countStretches`. */
  stretchesOn(view: JudgedView, day: number): number;
  countStretches(view: JudgedView, day: number, stretches: number): void;
  /** From when on the view is longer than its film, so in a loop: the smallest that was set. */
  loopsFromMs(view: JudgedView, atMs: number): number;
  /** The suspect that all further time of a usual view belongs to. */
  beyond(view: JudgedView): string | undefined;
  /** From now on further time of the view belongs to this suspect. */
  end(view: JudgedView, suspect: string): void;
}

export function createJudgedViews(): JudgedViews {
  const times = createNumberTable(leastRemembered);
  const apart = createSuspectNames();
  const ended = createSuspectNames();
  const beginnings = createBeginnings();
  return {
    suspectOf: apart.of,
    setApart: apart.set,
    usualMs: ({ key }) => times.get(key),
    usualMsOf({ key }, stretch, atMs) {
      const stored = times.get(createKey(key, stretch));
      if (stored === undefined) return undefined;
      const beginning = Math.floor(stored / mostMs);
      const isSame =
        beginning === 0 || Math.abs(beginnings.leastLaterMs(beginning, atMs)) <= sameBeginningMs;
      return isSame ? stored % mostMs : undefined;
    },
    hasRow({ key }, stretch, atMs) {
      const stored = times.get(createKey(key, stretch));
      if (stored === undefined) return false;
      const beginning = Math.floor(stored / mostMs);
      return beginning === 0 || beginning === beginnings.of(atMs);
    },
    beganElsewhere({ key }, stretch, atMs, playMs) {
      const stored = times.get(createKey(key, stretch));
      if (stored === undefined) return false;
      const beginning = Math.floor(stored / mostMs);
      if (beginning === 0 || beginning === beginnings.of(atMs)) return false;
      const laterMs = beginnings.leastLaterMs(beginning, atMs);
      const restMs = laterMs > 0 ? stored % mostMs : playMs;
      return Math.abs(laterMs) > Math.max(sameBeginningMs, restMs);
    },
    knows: ({ key }, stretch) => times.get(createKey(key, stretch)) !== undefined,
    admit: ({ key }) => times.set(key, 0),
    grow: ({ key }, usualMs) => times.set(key, usualMs),
    growStretch({ key }, stretch, usualMs, atMs) {
      const beginning = atMs === undefined ? 0 : beginnings.of(atMs);
      times.set(createKey(key, stretch), beginning * mostMs + Math.min(usualMs, mostMs - 1));
    },
    stretchesOn: ({ key }, day) => times.get(keyOfDay(key, day)) ?? 1,
    countStretches: ({ key }, day, stretches) => times.set(keyOfDay(key, day), stretches),
    loopsFromMs({ key }, atMs) {
      const loopsKey = keyOfLoops(key);
      const fromMs = Math.min(times.get(loopsKey) ?? atMs, atMs);
      times.set(loopsKey, fromMs);
      return fromMs;
    },
    beyond: ended.of,
    end: ended.set,
  };
}

/** A stretch's time is stored below this, 37 hours, and above it its beginning in 26 bits. */
const mostMs = 2 ** 27;

const placeMs = 2 ** 13;
const places = 2 ** 16;
const hashes = 2 ** 10;

/**
 * Beginnings in 26 bits, not 0: in which eight seconds of six days one lies, and a hash that tells
 * it from others there. The hash is drawn at each start, so that nobody finds two alike.
 */
function createBeginnings() {
  const factor = 2 * randomInt(2 ** 31) + 1;
  const placeOf = (atMs: number) => Math.floor(atMs / placeMs) % places;
  return {
    of(atMs: number): number {
      const hash = 1 + ((Math.imul(atMs, factor) >>> 12) % (hashes - 1));
      return placeOf(atMs) * hashes + hash;
    },
    /** How long after a beginning an instant is at least; below 0: before it. Modulo six days. */
    leastLaterMs(beginning: number, atMs: number): number {
      const ahead = (placeOf(atMs) - Math.floor(beginning / hashes) + places) % places;
      const later = ahead < places / 2 ? ahead : ahead - places;
      return (later - Math.sign(later)) * placeMs;
    },
  };
}

/** The suspects of views. */
function createSuspectNames() {
  const suspects = createLruCache<string, string>(mostSuspectViews);
  return {
    // Mostly there are none, and no name need be made.
    of: ({ identity }: JudgedView) =>
      suspects.size > 0 ? suspects.get(nameView(identity)) : undefined,
    set({ identity }: JudgedView, suspect: string) {
      suspects.set(nameView(identity), suspect);
    },
  };
}

export function judgedView(identity: ViewIdentity): JudgedView {
  const { view, packageId, videoId } = identity;
  // A UUID: 8 digits, three times 4, and 12.
  const second = (digitsIn(view, 9, 4) << 16) | digitsIn(view, 14, 4);
  const third = (digitsIn(view, 19, 4) << 16) | digitsIn(view, 24, 4);
  const key: NumberKey = [
    digitsIn(view, 0, 8) >>> 0,
    (packageId ^ second) >>> 0,
    (videoId ^ third) >>> 0,
    digitsIn(view, 28, 8) >>> 0,
  ];
  return { key, identity };
}

const [zero, nine, tenAsLetter] = [0x30, 0x39, 0x61 - 10];

function digitsIn(uuid: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at += 1) {
    const code = uuid.charCodeAt(at);
    number = (number << 4) | (code <= nine ? code - zero : code - tenAsLetter);
  }
  return number;
}

/**
 * TRICKY: what tells two views or stretches of one name apart lies in words of its own, so that no
 * sender can make two fall together. The fourth word is that of the stretches; the third tells them
 * from the view itself, beside which the table finds its first stretch.
 */
function createKey(view: NumberKey, stretch: number): NumberKey {
  return [view[0], view[1], ~view[2] >>> 0, (view[3] ^ stretch) >>> 0];
}

/** Of the number of stretches on a day, apart from the stretches in the same way. */
function keyOfDay(view: NumberKey, day: number): NumberKey {
  return [view[0], ~view[1] >>> 0, view[2], (view[3] ^ day) >>> 0];
}

/** Apart from the days in the same way. */
function keyOfLoops(view: NumberKey): NumberKey {
  return [view[0], ~view[1] >>> 0, ~view[2] >>> 0, view[3]];
}

/** Packages and videos have ids of their own in all accounts. */
function nameView({ packageId, videoId, view }: ViewIdentity): string {
  return `${view} ${packageId} ${videoId}`;
}
