const form = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Milliseconds since the epoch of an RFC 3339 date-time; undefined where the text is none or names
 * a day or time that does not exist. Digits past the millisecond are cut off.
 */
export function parseInstant(text: string): number | undefined {
  const parts = form.exec(text);
  if (!parts) return undefined;
  // Date.parse rolls 2026-02-30 over into March, so the day and time are read back once.
  const local = `${parts[1]}T${parts[2]}`;
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(local)) {
    return undefined;
  }
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
