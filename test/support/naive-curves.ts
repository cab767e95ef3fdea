/**
 * The curves by plain loops over every millisecond and every instant, with nothing of the service's
 * own code. Slow and plain on purpose.
 */
const slotMs = 900_000;
const minuteMs = 60_000;

/** A stretch as it stands, of all that was reported of it and counts. */
export interface PlayedStretch {
  readonly packageId: number;
  readonly accessKey: string;
  readonly os: string;
  readonly country: string;
  readonly view: string;
  readonly stretch: number;
  readonly atMs: number;
  readonly playMs: number;
  readonly position: number | undefined;
  readonly mediaMs: number;
  /** False for what an earlier release stored: its slots are known, and nothing else. */
  readonly isDated: boolean;
}

interface Part {
  readonly of: PlayedStretch;
  readonly slot: number;
  readonly fromMs: number;
  readonly untilMs: number;
  countedMs: number;
}

export interface CurveRange {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly timeZone: string;
}

/** The parts of stretches in slots; no view has more time in a slot than the slot. */
function partsOf(stretches: readonly PlayedStretch[]): Part[] {
  const parts: Part[] = [];
  const taken = new Map<string, number>();
  const played = stretches.filter(({ stretch, playMs }) => stretch === 0 || playMs > 0);
  for (const of of played.toSorted((one, other) => one.stretch - other.stretch)) {
    const endMs = of.atMs + of.playMs;
    let fromMs = of.atMs;
    do {
      const slot = Math.floor(fromMs / slotMs) * slotMs;
      const untilMs = Math.min(endMs, slot + slotMs);
      const key = JSON.stringify([slot, of.packageId, of.accessKey, of.os, of.view]);
      const before = taken.get(key) ?? 0;
      const countedMs = Math.min(untilMs - fromMs, slotMs - before);
      taken.set(key, before + countedMs);
      parts.push({ of, slot, fromMs, untilMs, countedMs });
      fromMs = untilMs;
    } while (fromMs < endMs);
  }
  return parts;
}

function isIn(slot: number, { firstDay, lastDay, timeZone }: CurveRange): boolean {
  const { date } = localTime(slot, timeZone);
  return date >= firstDay && date <= lastDay;
}

export function naiveRetention(
  all: readonly PlayedStretch[],
  range: CurveRange,
  fits: (stretch: PlayedStretch) => boolean,
  { lengthMs, parts: count }: { readonly lengthMs: number; readonly parts: number },
) {
  const parts = partsOf(all).filter(({ of, slot }) => isIn(slot, range) && fits(of));
  const viewOf = ({ of }: Part) => JSON.stringify([of.packageId, of.view]);
  const seenBy = new Map<string, Uint8Array>();
  const playedMs = new Float64Array(lengthMs);
  for (const part of parts) {
    const { position, mediaMs, playMs, atMs } = part.of;
    if (position === undefined || !part.of.isDated) continue;
    const seen = seenBy.get(viewOf(part)) ?? new Uint8Array(lengthMs);
    seenBy.set(viewOf(part), seen);
    const mediaAt = (ms: number) => Math.floor((mediaMs * ms) / Math.max(playMs, 1));
    const from = mediaAt(part.fromMs - atMs);
    const whole = mediaAt(part.untilMs - atMs) - from;
    const counted = Math.floor((whole * part.countedMs) / Math.max(part.untilMs - part.fromMs, 1));
    for (let ms = position + from; ms < Math.min(position + from + whole, lengthMs); ms += 1) {
      seen[ms] = 1;
      if (ms < position + from + counted) playedMs[ms] = (playedMs[ms] ?? 0) + 1;
    }
  }
  const positioned = seenBy.size;
  const seenMs = [...seenBy.values()].reduce((sum, seen) => sum + total(seen), 0);
  const list = Array.from({ length: count }, (_, part) => {
    const fromMs = Math.floor((part * lengthMs) / count);
    const toMs = Math.floor(((part + 1) * lengthMs) / count);
    const views = [...seenBy.values()].filter((seen) => total(seen.slice(fromMs, toMs)) > 0);
    const watched = total(playedMs.slice(fromMs, toMs)) / ((toMs - fromMs) * positioned);
    const isSeen = toMs > fromMs && positioned > 0;
    const shown = isSeen ? roundHalfUp(watched, 3) : 0;
    return { part, fromMs, toMs, audience: views.length, watched: shown };
  });
  return {
    lengthMs,
    views: new Set(parts.map(viewOf)).size,
    positionedViews: positioned,
    averageSeen: positioned > 0 ? roundHalfUp(seenMs / (lengthMs * positioned), 4) : null,
    list,
  };
}

export type Interval = 'minute' | 'hour' | 'day';

export function naiveConcurrency(
  all: readonly PlayedStretch[],
  range: CurveRange,
  fits: (stretch: PlayedStretch) => boolean,
  interval: Interval,
) {
  const parts = partsOf(all).filter(({ of, slot }) => isIn(slot, range) && fits(of));
  const rows = new Map<string, { lengthMs: number; starts: number[] }>();
  const everyMs = interval === 'minute' ? minuteMs : slotMs;
  // A day before and after: no zone is further from UTC.
  const firstMs = Date.parse(range.firstDay) - 86_400_000;
  for (let ms = firstMs; ms < Date.parse(range.lastDay) + 2 * 86_400_000; ms += everyMs) {
    const slot = Math.floor(ms / slotMs) * slotMs;
    if (!isIn(slot, range)) continue;
    const time = labelOf(ms, range.timeZone, interval);
    const row = rows.get(time) ?? { lengthMs: 0, starts: [] };
    row.starts.push(ms);
    row.lengthMs += everyMs;
    rows.set(time, row);
  }
  return [...rows].map(([time, { lengthMs, starts }]) => {
    const within = (ms: number) => starts.some((start) => ms >= start && ms < start + everyMs);
    const dated = parts.filter(({ of }) => of.isDated);
    const begins = dated.map(({ fromMs }) => fromMs).filter(within);
    let peak = 0;
    let peakAtMs = 0;
    for (const instant of [...starts, ...begins].sort((one, other) => one - other)) {
      const playing = dated.filter(
        ({ fromMs, untilMs }) => fromMs <= instant && instant < untilMs,
      ).length;
      if (playing > peak) [peak, peakAtMs] = [playing, instant];
    }
    let playMs = 0;
    for (const { of, slot, fromMs, countedMs } of parts) {
      for (const start of starts) {
        if (of.isDated) {
          const until = Math.min(fromMs + countedMs, start + everyMs);
          playMs += Math.max(0, until - Math.max(fromMs, start));
        } else if (start >= slot && start < slot + slotMs) playMs += (countedMs * everyMs) / slotMs;
      }
    }
    const peakAt = peak > 0 ? instantText(peakAtMs, range.timeZone) : null;
    return { time, peak, peakAt, average: roundHalfUp(playMs / lengthMs, 3) };
  });
}

function total(values: Uint8Array | Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** What a share of small whole numbers lacks to a half is more than this. */
function roundHalfUp(value: number, decimals: number): number {
  return Math.floor(value * 10 ** decimals + 0.5 + 1e-9) / 10 ** decimals;
}

/** The slot of the instant decides for day, hour and offset. */
function labelOf(ms: number, timeZone: string, interval: Interval): string {
  const slot = Math.floor(ms / slotMs) * slotMs;
  const { date } = localTime(slot, timeZone);
  if (interval === 'day') return date;
  if (interval === 'minute') return instantText(ms, timeZone).replace('.000', '');
  return instantText(hourStart(slot, timeZone), timeZone).replace('.000', '');
}

/** The slot that shows the hour in full, though the clock was set since; else its first slot. */
function hourStart(slot: number, timeZone: string): number {
  const { date, hour } = localTime(slot, timeZone);
  let first = slot;
  for (let ms = slot; ms > slot - 16 * slotMs; ms -= slotMs) {
    const shown = localTime(ms, timeZone);
    if (shown.date !== date || shown.hour !== hour) continue;
    if (shown.minute === '00') return ms;
    first = ms;
  }
  return first;
}

function instantText(ms: number, timeZone: string): string {
  const { offset } = localTime(Math.floor(ms / slotMs) * slotMs, timeZone);
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const offsetMs = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
  return new Date(ms + offsetMs).toISOString().slice(0, 23) + offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, Record<'date' | 'hour' | 'minute' | 'offset', string>>();

/** By the platform's own calendar. */
function localTime(slot: number, timeZone: string) {
  const key = `${slot} ${timeZone}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
      ...{ minute: '2-digit', timeZoneName: 'longOffset', hourCycle: 'h23' },
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(
    format.formatToParts(slot).map(({ type, value }) => [type, value]),
  );
  const offset = parts.timeZoneName?.replace('GMT', '').replace('\u2212', '-') || '+00:00';
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const local = { date, hour: parts.hour ?? '', minute: parts.minute ?? '', offset };
  known.set(key, local);
  return local;
}
