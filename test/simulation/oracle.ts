/**
 * The naive oracle: keeps every beacon and counts minute by minute, with nothing of the service's
 * own code. Slow and plain on purpose.
 */
import type { Reported, StretchBeacon } from './reported.ts';
import type { WaitBeacon } from './waits.ts';

export interface Report {
  readonly accountId: number;
  readonly packageId: number;
  readonly accessKey: string;
  readonly os: string;
  readonly osVersion: string;
  readonly beacon: StretchBeacon;
  /** What else its stretch tells, if anything. */
  readonly reported?: Reported | undefined;
}

/** Of a wait, which plays nothing. */
export interface WaitReport extends Omit<Report, 'beacon' | 'reported'> {
  readonly beacon: WaitBeacon;
  readonly sender: Reported['sender'];
}

export function isOfStretch(report: Report | WaitReport): report is Report {
  return report.beacon.wait === undefined;
}

export interface Asked {
  readonly accountId: number;
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly packageId?: number | undefined;
  readonly accessKey?: string | undefined;
  readonly os?: string | undefined;
}

export interface Count {
  plays: number;
  playMs: number;
}

export type LabelOf = (label: {
  date: string;
  hour: string;
  os: string;
  version: string;
}) => string;

const minuteMs = 60_000;
const dayMs = 86_400_000;

export class Oracle {
  readonly #reports: Report[] = [];

  record(...reports: Report[]): void {
    this.#reports.push(...reports);
  }

  /** Sums by a label of one's own choice. */
  answer(asked: Asked, labelOf: LabelOf): Map<string, Count> {
    const counts = new Map<string, Count>();
    const room = new SlotRoom();
    // Wherever it is, a day begins and ends within a day of that of UTC.
    const nearMs = [Date.parse(asked.firstDay) - dayMs, Date.parse(asked.lastDay) + 2 * dayMs];
    const [fromMs = 0, untilMs = 0] = nearMs;
    for (const report of this.#largest(asked)) {
      const { beacon, os, osVersion: version } = report;
      const startMs = Date.parse(beacon.at);
      const endMs = startMs + beacon.playMs;
      if (endMs < fromMs || startMs > untilMs) continue;
      const add = (instantMs: number, plays: number, playMs: number) => {
        const { date, hour } = localTime(instantMs, asked.timeZone);
        if (date < asked.firstDay || date > asked.lastDay) return;
        const label = labelOf({ date, hour, os, version });
        const count = counts.get(label) ?? { plays: 0, playMs: 0 };
        count.plays += plays;
        count.playMs += playMs;
        counts.set(label, count);
      };
      if (beacon.stretch === 0) add(startMs, 1, 0);
      const { packageId, accessKey } = report;
      const view = JSON.stringify([packageId, accessKey, os, version, beacon.view]);
      for (let atMs = startMs; atMs < endMs; ) {
        const nextMs = Math.min(endMs, (Math.floor(atMs / minuteMs) + 1) * minuteMs);
        add(atMs, 0, room.take(view, atMs, nextMs - atMs));
        atMs = nextMs;
      }
    }
    return counts;
  }

  /** Of each stretch its beacon with the largest playMs, from its earliest beginning on. */
  #largest(asked: Asked): Report[] {
    const largest = new Map<string, Report>();
    for (const report of this.#reports) {
      if (report.accountId !== asked.accountId) continue;
      if (asked.packageId !== undefined && report.packageId !== asked.packageId) continue;
      if (asked.accessKey !== undefined && report.accessKey !== asked.accessKey) continue;
      if (asked.os !== undefined && report.os !== asked.os) continue;
      const { view, stretch, playMs } = report.beacon;
      const identity = JSON.stringify([report.packageId, report.accessKey, view, stretch]);
      const known = largest.get(identity);
      const longest = !known || known.beacon.playMs < playMs ? report : known;
      const at = known && known.beacon.at < report.beacon.at ? known.beacon.at : report.beacon.at;
      largest.set(identity, { ...longest, beacon: { ...longest.beacon, at } });
    }
    return [...largest.values()];
  }
}

/** A view never has more time in a quarter of an hour than that has, however its stretches lie. */
class SlotRoom {
  readonly #taken = new Map<string, number>();

  /** How much of the time counts, which lies in one minute. */
  take(view: string, fromMs: number, ms: number): number {
    const key = `${view} ${Math.floor(fromMs / (15 * minuteMs))}`;
    const taken = this.#taken.get(key) ?? 0;
    const counted = Math.min(ms, 15 * minuteMs - taken);
    this.#taken.set(key, taken + counted);
    return counted;
  }
}

interface LocalTime {
  readonly date: string;
  readonly hour: string;
}

/** By time zone; what it said of each minute is remembered. */
const calendars = new Map<string, { format: Intl.DateTimeFormat; known: Map<number, LocalTime> }>();

/** By the platform's own calendar, asked for each minute. */
export function localTime(instantMs: number, timeZone: string): LocalTime {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    calendar = { format, known: new Map() };
    calendars.set(timeZone, calendar);
  }
  const { format, known } = calendar;
  const minute = Math.floor(instantMs / minuteMs);
  const remembered = known.get(minute);
  if (remembered) return remembered;
  const text = format.format(minute * minuteMs);
  const local = { date: text.slice(0, 10), hour: text.slice(11, 13) };
  known.set(minute, local);
  return local;
}
