import type fc from 'fast-check';
import type { PlayerEvent, ViewWindow } from '../../src/store/facts.ts';

export type ScheduledEventLog = ReturnType<typeof scheduledEventLog>;

/**
 * An event log whose writes and reads take effect whenever fast-check says so: a write is seen some
 * time before it is answered; a read sees one moment while it runs.
 */
export function scheduledEventLog(scheduler: fc.Scheduler) {
  const rows: PlayerEvent[] = [];
  const turn = (label: string) => scheduler.schedule(Promise.resolve(), label);
  return {
    rows,
    eventSpool: {
      async add(events: readonly PlayerEvent[]) {
        await turn('write');
        rows.push(...events);
        await turn('written');
      },
    },
    events: {
      async read({ view: asked }: ViewWindow) {
        await turn('read');
        const seen = rows.filter(({ view }) => view === asked);
        await turn('has read');
        return seen;
      },
    },
    clock: { now: () => 0 },
  };
}
