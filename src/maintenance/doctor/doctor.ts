/** Looks at everything the service depends on, and says what to do about what is wrong. */
import { untilAborted } from '../../lib/tasks/abortable.ts';

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
export function formatSize(bytes: number): string {
  const gigabyte = 1_073_741_824;
  if (bytes < gigabyte) return `${Math.round(bytes / 1_048_576)} MB`;
  return `${(bytes / gigabyte).toFixed(1)} GB`;
}

/** For people: in days from two days on, else in hours. */
export function formatAge(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** Looks at one thing. What it throws is a finding as well: that thing cannot be used. */
export interface Examination {
  readonly subject: string;
  /** What to do if it throws. */
  readonly remedy: string;
  look(signal: AbortSignal): Promise<readonly Finding[]>;
}

interface ExaminingOptions {
  /** Interrupts it. */
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}

/** One after the other, in the given order; one that fails does not stop the others. */
export async function examine(
  examinations: readonly Examination[],
  { signal, noteProgress }: ExaminingOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, { subject, remedy, look }] of examinations.entries()) {
    try {
      findings.push(...(await untilAborted(look(signal), signal)));
    } catch (failure) {
      signal.throwIfAborted();
      findings.push({ level: 'error', what: `${subject}: ${findReason(failure)}`, do: remedy });
    }
    noteProgress((index + 1) / examinations.length);
  }
  return findings;
}

/** Where the store or the database said more, that is what helps the operator. */
function findReason(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { cause } = failure;
  return cause instanceof Error ? `${failure.message} (${cause.message})` : failure.message;
}

const marks = { ok: 'ok      ', warning: 'WARNING ', error: 'ERROR   ' } as const;

export function describeFindings(findings: readonly Finding[]): {
  readonly json: { readonly findings: readonly Finding[] };
  readonly lines: readonly string[];
  readonly isIncomplete: boolean;
} {
  const lines = findings.flatMap(({ level, what, do: todo }) => [
    `${marks[level]}${what}`,
    ...(todo ? [`        -> ${todo}`] : []),
  ]);
  return {
    json: { findings },
    lines,
    isIncomplete: findings.some(({ level }) => level === 'error'),
  };
}

/**
 * A configuration that cannot be used: what else is there depends on it, and is not looked at.
 * `complaints`: settings, each with what it must be.
 */
export function lookAtComplaints(complaints: readonly string[]): Examination {
  const remedy = 'Set it as docs/configuration.md says; then run doctor again for all the rest';
  return {
    subject: 'Configuration',
    remedy,
    look: async () => complaints.map((complaint) => error(`Configuration: ${complaint}`, remedy)),
  };
}
