export const dayMs = 24 * 60 * 60 * 1_000;

/** The day in UTC that an instant (ms) lies in, yyyy-mm-dd. */
export function toUtcDay(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}

/** The Monday (yyyy-mm-dd) of the week of a local time. */
export function findMonday(localMs: number): string {
  const sinceMonday = (new Date(localMs).getUTCDay() + 6) % 7;
  return new Date(localMs - sinceMonday * dayMs).toISOString().slice(0, 10);
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day, yyyy-mm-dd, that the calendar has; 2026-02-30 is none. */
export function dayExists(text: string): boolean {
  if (!dayForm.test(text) || text < '0001') return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
