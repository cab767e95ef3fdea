import {
  type EventLog,
  mostEventsOfRead,
  type PlayerEvent,
  type ViewWindow,
} from '../../src/store/facts.ts';

const identityOf = ({ accountId, view, momentMs, sequence, state }: PlayerEvent) =>
  JSON.stringify([accountId, view, momentMs, sequence, state]);
const ofView = ({ accountId, view }: Pick<PlayerEvent, 'accountId' | 'view'>) =>
  `${accountId} ${view}`;

/** Reads what was written as the event log of the facts does. */
export function memoryEventLog(
  written: readonly (readonly PlayerEvent[])[],
): Pick<EventLog, 'read' | 'beginnings' | 'count'> {
  let known = { of: 0, byView: new Map<string, PlayerEvent[]>() };
  /** Each event once, with its first arrival. What was written stays. */
  const byView = () => {
    const of = written.reduce((sum, { length }) => sum + length, 0);
    if (of !== known.of) {
      const alike = Map.groupBy(written.flat(), identityOf);
      const events = [...alike.values()].flatMap((same) =>
        same.toSorted((one, other) => one.arrivalMs - other.arrivalMs).slice(0, 1),
      );
      known = { of, byView: Map.groupBy(events, ofView) };
    }
    return known.byView;
  };
  const eventsIn = (windows: readonly ViewWindow[]) =>
    [...Map.groupBy(windows, ofView)].flatMap(([view, own]) =>
      (byView().get(view) ?? []).filter(({ momentMs }) =>
        own.some(({ fromMs, untilMs }) => momentMs >= fromMs && momentMs <= untilMs),
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
      const found = [...new Set(views.map(ofView))].flatMap((view) => {
        const ofOne = byView().get(view) ?? [];
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
