export const dayMs = 24 * 60 * 60 * 1_000;

/** The day in UTC that an instant (ms) lies in, yyyy-mm-dd. */
export function utcDayOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
