const parts = /(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})/;

/** An instant as `cs` writes it, in UTC. */
export function writeSessionStart(instantMs: number): string {
  return new Date(instantMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/** The instant (ms) that `cs` names, read as UTC; undefined if there is no such time. */
export function readSessionStart(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = parts.exec(text) ?? [];
  const instantMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Date.parse rolls the 30th of February over into March, and the text may have more around its
  // digits: so it is written back once.
  return Number.isNaN(instantMs) || writeSessionStart(instantMs) !== text ? undefined : instantMs;
}
