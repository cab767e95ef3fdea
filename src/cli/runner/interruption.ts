import { Fault } from '../../vocabulary/faults.ts';

/** How long a store that hangs may keep the process after the work was interrupted. */
const endWithinMs = 5_000;

/** Lets a verb that lasts be interrupted in order: it tidies up what it began, and ends. */
export async function withInterruption<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted || error instanceof Fault) throw error;
    throw new Fault('UNAVAILABLE', 'Interrupted');
  } finally {
    // Nothing waits for it: it ends only what would wait for ever.
    if (interruption.signal.aborted) setTimeout(() => process.exit(1), endWithinMs).unref();
    for (const signal of signals) process.off(signal, interrupt);
  }
}
