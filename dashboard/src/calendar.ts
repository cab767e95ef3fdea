/** Dates as yyyy-mm-dd: days of a calendar, without a time and without a zone. */

const dayMs = 86_400_000;

export function todayIn(timeZone: string, now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * dayMs);
}

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(day, last)));
}

/** Both ends included. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
