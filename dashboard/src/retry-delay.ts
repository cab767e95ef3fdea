import { PlaymeterError } from '../../client/src/index.ts';

const firstDelayMs = 250;
const longestDelayMs = 60_000;
const passing = [undefined, 429, 502, 503, 504];

/** When a question is asked again; undefined where that cannot help. `chance`, 0 to 1, spreads. */
export function retryDelayMs(retry: number, error: unknown, chance: number): number | undefined {
  if (!(error instanceof PlaymeterError) || !passing.includes(error.status)) return undefined;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
  if (askedMs > longestDelayMs) return undefined;
  return askedMs > 0 ? askedMs + chance * firstDelayMs : firstDelayMs * 2 ** retry * (1 + chance);
}
