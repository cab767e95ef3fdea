/** What `doctor` finds, for operators who ask the running service. */
import { shareRunning } from '../../lib/tasks/serial-work.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ServiceFindings } from '../../wire/management/service.ts';
import { runVerb } from './run-verb.ts';

const keptMs = 60_000;

/**
 * One at a time, by the verb in a process of its own: it reads the whole catalog and journal, and
 * nobody else is to wait for that. `signal`: the service stops.
 */
export function createExamine(clock: Clock, signal: AbortSignal): () => Promise<ServiceFindings> {
  let last: { readonly atMs: number; readonly found: ServiceFindings } | undefined;
  const run = shareRunning(async () => {
    const { lines } = await runVerb(['doctor', '--json'], signal);
    const { findings } = JSON.parse(lines[0] ?? '') as Pick<ServiceFindings, 'findings'>;
    const found = { at: new Date(clock.now()).toISOString(), findings };
    last = { atMs: clock.monotonic(), found };
    return found;
  });
  return async () => (last && clock.monotonic() - last.atMs < keptMs ? last.found : run());
}
