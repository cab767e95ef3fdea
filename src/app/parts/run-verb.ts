/** Verbs of the command line that the running service has run beside itself. */
import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { assert } from '../../lib/assert.ts';
import { Fault } from '../../vocabulary/faults.ts';

const lowPriority = 10;
/** A verb may list thousands of differences. */
const firstLines = 20;

interface VerbRun {
  /** Whether its exit code was 0. */
  readonly isDone: boolean;
  /** The first of what it printed, and the last line; at least one. */
  readonly lines: readonly string[];
}

/**
 * Runs a verb of the command line beside the service, as its operator would: it keeps a processor
 * and SQLite busy for longer than a request may wait. Rejects with the reason if it could not do
 * its work, and with the signal's if that aborts.
 */
export async function runVerb(words: readonly string[], signal: AbortSignal): Promise<VerbRun> {
  signal.throwIfAborted();
  const program = process.argv[1];
  assert(program, 'the service is a program');
  const child = fork(program, words, { silent: true });
  const [lines, complaints]: [string[], string[]] = [[], []];
  readLines(child.stdout, lines);
  readLines(child.stderr, complaints);
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  try {
    yieldToService(child);
    const code = await whenClosed(child);
    signal.throwIfAborted();
    if (lines.length > 0 && code !== null) return { isDone: code === 0, lines };
    const [verb = ''] = words;
    const complaint = complaints.findLast((line) => line.startsWith(`playmeter ${verb}: `));
    const reason = complaint ?? complaints.at(-1) ?? `playmeter ${verb} ended with ${code}`;
    throw new Fault('INTERNAL', reason);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function yieldToService({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority);
  } catch {
    // It has ended already, or the system does not let it: then it runs as the service does.
  }
}

function readLines(from: ChildProcess['stdout'], lines: string[]): void {
  assert(from, 'the output of the process is a pipe');
  createInterface({ input: from }).on('line', (line) => {
    if (lines.length > firstLines) lines.pop();
    lines.push(line);
  });
}

function whenClosed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
