const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const time = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Milliseconds since the epoch of an RFC 3339 date-time; undefined where the text is none or names
 * a day or time that does not exist. Digits past the millisecond are cut off.
 */
export function parseInstant(text: string): number | undefined {
  const parts = date.exec(text.slice(0, 10));
  if (!parts || !time.test(text.slice(10))) return undefined;
  // Date.parse takes 30 February for 2 March, so the day is held to its month.
  const day = Number(parts[3]);
  if (day === 0 || (day > 28 && day > daysOfMonth(Number(parts[1]), Number(parts[2])))) {
    return undefined;
  }
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
