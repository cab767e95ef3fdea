import { dayMs } from './utc-day.ts';

const ofDay = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const form = new RegExp(
  String.raw`^\d{4}-\d\d-\d\dT${ofDay}:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]${ofDay})$`,
);

/** As nearly all are written, in UTC and with milliseconds: `2026-11-20T12:00:00.000Z`. */
const usualForm = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const dateLength = 10;

// With an offset a text may name an instant whose year in UTC has no four digits to be sent back in.
const firstMs = Date.parse('0001-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** The date read last: instants that come one after another are mostly of the same day. */
let last: { readonly date: string; readonly startsAtMs: number } | undefined;

/**
 * Milliseconds since the epoch of an RFC 3339 date-time; undefined if the text isn't one, names a
 * day or time that does not exist, or is outside the years 0001 to 9999 in UTC. Digits past the
 * millisecond are cut off. A leap second counts as the second after it.
 */
export function parseInstant(text: string): number | undefined {
  return usualForm.test(text) ? parseUsual(text) : parseAny(text);
}

function parseUsual(text: string): number | undefined {
  if (last === undefined || !text.startsWith(last.date)) {
    const date = text.slice(0, dateLength);
    const startsAtMs = parseAny(`${date}T00:00:00Z`);
    if (startsAtMs === undefined) return undefined;
    last = { date, startsAtMs };
  }
  const minutes = 60 * twoDigits(text, 11) + twoDigits(text, 14);
  const seconds = 60 * minutes + twoDigits(text, 17);
  const milliseconds = 10 * twoDigits(text, 20) + digit(text, 22);
  return last.startsAtMs + 1_000 * seconds + milliseconds;
}

function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 0x30;
}

function parseAny(text: string): number | undefined {
  // RFC 3339 allows a lower-case t and z as well.
  const upper = text.toUpperCase();
  if (!form.test(upper)) return undefined;
  // Date.parse reads 30 February as 2 March, so the day is checked against its month.
  const day = Number(upper.slice(8, 10));
  if (day === 0 || (day > 28 && day > daysOfMonth(upper))) return undefined;
  const instant = upper.startsWith('60', 17) ? afterLeapSecond(upper) : Date.parse(upper);
  return instant >= firstMs && instant <= lastMs ? instant : undefined;
}

/** Date.parse rejects leap seconds. They occur only at the end of a month in UTC. */
function afterLeapSecond(text: string): number {
  const instant = Date.parse(`${text.slice(0, 17)}59${text.slice(19)}`) + 1_000;
  const monthBegins = new Date(instant).getUTCDate() === 1;
  return monthBegins && modulo(instant, dayMs) < 1_000 ? instant : Number.NaN;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Days in the month of a date yyyy-mm-dd. */
function daysOfMonth(date: string): number {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
}
