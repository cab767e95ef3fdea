/** What `doctor` says of one thing it looked at. */
export interface Finding {
  /** `error`: something does not work, or soon will not. `warning`: it works, at a risk. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  /** What to do about it; empty where nothing is to be done. */
  readonly do: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what, do: '' });
export const warning = (what: string, todo: string): Finding => ({
  level: 'warning',
  what,
  do: todo,
});
export const error = (what: string, todo: string): Finding => ({ level: 'error', what, do: todo });

/** For people: megabytes up to a gigabyte, gigabytes with one decimal beyond. */
export function sizeOf(bytes: number): string {
  const gigabyte = 1_073_741_824;
  if (bytes < gigabyte) return `${Math.round(bytes / 1_048_576)} MB`;
  return `${(bytes / gigabyte).toFixed(1)} GB`;
}

/** For people: in days from two days on, else in hours. */
export function ageOf(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
