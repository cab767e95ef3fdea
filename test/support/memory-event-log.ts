import {
  type EventLog,
  mostEventsOfRead,
  type PlayerEvent,
  type ViewWindow,
} from '../../src/facts/facts.ts';

const identityOf = ({ accountId, view, momentMs, sequence, state }: PlayerEvent) =>
  JSON.stringify([accountId, view, momentMs, sequence, state]);
const ofView = ({ accountId, view }: Pick<PlayerEvent, 'accountId' | 'view'>) =>
  `${accountId} ${view}`;

/** Reads what was written as the event log of the facts does. */
export function memoryEventLog(
  written: readonly (readonly PlayerEvent[])[],
): Pick<EventLog, 'read' | 'beginnings' | 'count'> {
  /** Each event once, with its first arrival. */
  const events = (): PlayerEvent[] => {
    const alike = Map.groupBy(written.flat(), identityOf);
    return [...alike.values()].flatMap((same) =>
      same.toSorted((one, other) => one.arrivalMs - other.arrivalMs).slice(0, 1),
    );
  };
  const eventsIn = (windows: readonly ViewWindow[]) =>
    events().filter((event) =>
      windows.some(
        (window) =>
          ofView(window) === ofView(event) &&
          event.momentMs >= window.fromMs &&
          event.momentMs <= window.untilMs,
      ),
    );
  return {
    async read(windows) {
      return unlessTooMany(eventsIn(windows));
    },
    async count(windows) {
      return windows.map((window) => ({ ...window, events: eventsIn([window]).length }));
    },
    async beginnings(views) {
      const asked = new Set(views.map(ofView));
      const byView = Map.groupBy(events(), ofView);
      const found = [...byView].flatMap(([name, ofOne]) => {
        if (!asked.has(name)) return [];
        const counted = ofOne.filter(({ state }) => state === 'counted');
        return counted.length > 0 ? counted : ofOne;
      });
      return unlessTooMany(found);
    },
  };
}

function unlessTooMany(events: PlayerEvent[]): PlayerEvent[] | undefined {
  return events.length > mostEventsOfRead ? undefined : events;
}
