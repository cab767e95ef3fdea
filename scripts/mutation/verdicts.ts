/** What test files make of faults: a line each, added at once, so that none is lost. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export interface Verdict {
  /** The test file as it was, by its path and the state of the code. */
  readonly file: string;
  /** One that it has tried; none says that it has tried all, and passes without any. */
  readonly fault?: string;
  /** The test that failed, with `timedOut` at its end if it did. */
  readonly noticedBy?: string;
}

/** A fault may keep a test from ending; so may a busy machine. */
export const timedOut = ' (timed out)';

export function readVerdicts(path: string): Verdict[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

export function addVerdict(path: string, verdict: Verdict): void {
  appendFileSync(path, `${JSON.stringify(verdict)}\n`);
}
