const ofDay = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const form = new RegExp(
  String.raw`^\d{4}-\d\d-\d\dT${ofDay}:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]${ofDay})$`,
);

/**
 * Milliseconds since the epoch of an RFC 3339 date-time; undefined where the text is none or names
 * a day or time that does not exist. Digits past the millisecond are cut off.
 */
export function parseInstant(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  // Date.parse takes 30 February for 2 March, so the day is held to its month.
  const day = Number(text.slice(8, 10));
  if (day === 0 || (day > 28 && day > daysOfMonth(text))) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Of the month of a date yyyy-mm-dd. */
function daysOfMonth(date: string): number {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
}
