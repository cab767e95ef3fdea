/** Numbers, durations, dates and countries as a locale writes them. */
import type { Unit } from './measures.ts';
import type { Interval } from './view.ts';

export interface Formats {
  number(value: number): string;
  /** Half a dozen characters or so: for axes. */
  short(value: number, unit: Unit): string;
  duration(ms: number): string;
  /** Minutes and seconds of a film: 1:02:03. */
  position(ms: number): string;
  share(value: number): string;
  /** How long somebody waited: to hundredths of a second while it is short. */
  wait(ms: number): string;
  /** The size of a file. */
  bytes(count: number): string;
  /** A change against what was before: +12 %. */
  change(value: number): string;
  /** Several names, any of which is meant. */
  anyOf(names: readonly string[]): string;
  measure(value: number | null | undefined, unit: Unit): string;
  /** From one value to another; both may be the same. */
  between(values: readonly [number, number] | undefined, unit: Unit): string;
  date(date: string): string;
  range(from: string, to: string): string;
  /** A label of a time dimension. */
  time(label: string, interval: Interval, length?: 'short' | 'long'): string;
  /** The time of day of an instant. */
  clock(instant: string, timeZone: string): string;
  instant(instant: string, timeZone: string): string;
  /** To the second. */
  moment(moment: Date, timeZone: string): string;
  country(code: string): string;
  weekday(day: number): string;
}

export const nothing = '–';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** From here on, an axis has no room for all digits. */
const mostWholeHours = 10_000;
/** Below it hundredths of a percent are written. */
const wholeShare = 0.01;
const exactWaitMs = 10_000;

export function createFormats(locale: string): Formats {
  const numbers = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, {
    ...{ notation: 'compact', maximumFractionDigits: 1 },
  });
  const hours = new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit: 'hour', unitDisplay: 'narrow', maximumFractionDigits: 1 },
  });
  const manyHours = new Intl.NumberFormat(locale, {
    ...{ notation: 'compact', maximumFractionDigits: 1 },
    ...{ style: 'unit', unit: 'hour', unitDisplay: 'short' },
  });
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const smallShares = new Intl.NumberFormat(locale, {
    ...{ style: 'percent', maximumFractionDigits: 2 },
  });
  const seconds = [2, 1].map(
    (digits) =>
      new Intl.NumberFormat(locale, {
        ...{ style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: digits },
      }),
  ) as [Intl.NumberFormat, Intl.NumberFormat];
  const changes = new Intl.NumberFormat(locale, {
    ...{ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' },
  });
  const alternatives = new Intl.ListFormat(locale, { type: 'disjunction' });
  const durations = new Intl.DurationFormat(locale, { style: 'narrow' });
  const zero = new Intl.DurationFormat(locale, { style: 'narrow', secondsDisplay: 'always' });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const clocks = perZone(locale, { timeStyle: 'short' });
  const instants = perZone(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const moments = perZone(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const own = {
    number: (value: number) => numbers.format(value),
    share: (value: number) => (value < wholeShare ? smallShares : shares).format(value),
    duration: (ms: number) => durations.format(partsOf(ms)) || zero.format({ seconds: 0 }),
    wait: (ms: number) => {
      if (ms >= minuteMs) return own.duration(ms);
      return seconds[ms < exactWaitMs ? 0 : 1].format(ms / 1_000);
    },
    bitrate: (kbits: number) => `${numbers.format(kbits)} kbit/s`,
    rate: (perHour: number) => `${numbers.format(Math.round(perHour * 100) / 100)}/h`,
  };
  const writtenIn: Readonly<Record<Unit, (value: number) => string>> = {
    ...{ count: own.number, duration: own.duration, wait: own.wait },
    ...{ share: own.share, rate: own.rate, bitrate: own.bitrate },
  };
  return {
    ...own,
    short: (value, unit) => {
      if (unit === 'count') return compact.format(value);
      if (unit === 'bitrate' && value >= 1_000) return `${compact.format(value / 1_000)} Mbit/s`;
      if (unit !== 'duration') return writtenIn[unit](value);
      if (value < hourMs) return own.duration(value);
      const count = value / hourMs;
      return (count < mostWholeHours ? hours : manyHours).format(count);
    },
    bytes: createSizes(locale),
    position: writePosition,
    change: (value) => changes.format(value),
    anyOf: (names) => alternatives.format(names),
    measure: (value, unit) => {
      if (value === null || value === undefined) return nothing;
      return writtenIn[unit](value);
    },
    between: (values, unit) => {
      if (values === undefined) return nothing;
      const rounded = values.map((value) => (unit === 'count' ? Math.round(value) : value));
      return [...new Set(rounded.map(writtenIn[unit]))].join('–');
    },
    date: (date) => days.format(Date.parse(date)),
    range: (from, to) => days.formatRange(Date.parse(from), Date.parse(to)),
    time: createTimes(locale),
    clock: (instant, timeZone) => clocks(timeZone).format(Date.parse(instant)),
    instant: (instant, timeZone) => instants(timeZone).format(Date.parse(instant)),
    moment: (moment, timeZone) => moments(timeZone).format(moment),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    // The first of January 2024 was a Monday.
    weekday: (day) => weekdays.format(Date.UTC(2024, 0, day)),
  };
}

/** To make one takes far longer than to use it, and a table has hundreds of instants. */
function perZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const known = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    made.set(timeZone, known);
    return known;
  };
}

/** In thousands, as disks and networks are sold. */
function createSizes(locale: string): Formats['bytes'] {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  return (count) => {
    const power = Math.floor(Math.log10(Math.max(1, count)) / 3);
    const at = Math.min(power, units.length - 1);
    const unit = units[at] as (typeof units)[number];
    return new Intl.NumberFormat(locale, {
      ...{ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 },
    }).format(count / 1_000 ** at);
  };
}

function createTimes(locale: string): Formats['time'] {
  const form = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const forms = {
    hour: {
      short: form({ hour: 'numeric' }),
      long: form({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric' }),
    },
    date: {
      short: form({ month: 'short', day: 'numeric' }),
      long: form({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    },
    week: {
      short: form({ month: 'short', day: 'numeric' }),
      long: form({ year: 'numeric', month: 'long', day: 'numeric' }),
    },
    month: {
      short: form({ month: 'short', year: '2-digit' }),
      long: form({ month: 'long', year: 'numeric' }),
    },
  };
  // The label is already in the account's zone: only its digits count, not its offset.
  return (label, interval, length = 'short') =>
    forms[interval][length].format(
      Date.parse(label.length > 10 ? `${label.slice(0, 16)}Z` : label),
    );
}

function partsOf(ms: number) {
  const seconds = Math.round(ms / 1_000);
  const parts = {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
  // Of hundreds of hours nobody reads the seconds.
  return parts.hours >= 10 ? { hours: parts.hours, minutes: parts.minutes } : parts;
}

function writePosition(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = `${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${tail}` : tail.replace(/^0/, '');
}
