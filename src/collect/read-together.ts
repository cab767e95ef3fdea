/**
 * Reads the event log for many at once: while one read is under way, others wait and go together
 * with the next, so that the load sets the size of the reads and not their number.
 */
import type { EventLog, PlayerEvent, ViewName, ViewWindow } from '../facts/facts.ts';

const windowsPerRead = 500;

export interface EventReader {
  read(windows: readonly ViewWindow[]): Promise<PlayerEvent[]>;
  beginnings(views: readonly ViewName[]): Promise<PlayerEvent[]>;
}

/** Resolves to the events of the given views, and possibly some more of the same views. */
export function readTogether(events: Pick<EventLog, 'read' | 'beginnings'>): EventReader {
  return {
    read: group<ViewWindow>((asked) => events.read(asked)),
    beginnings: group<ViewName>((asked) => events.beginnings(asked)),
  };
}

interface Waiting<Asked> {
  readonly asked: readonly Asked[];
  readonly answer: (events: PlayerEvent[]) => void;
  readonly fail: (fault: unknown) => void;
}

function group<Asked extends ViewName>(
  read: (asked: readonly Asked[]) => Promise<PlayerEvent[]>,
): (asked: readonly Asked[]) => Promise<PlayerEvent[]> {
  let waiting: Waiting<Asked>[] = [];
  let reading = false;

  const readAll = async (): Promise<void> => {
    reading = true;
    while (waiting.length > 0) {
      const turn = takeTurn(waiting);
      waiting = waiting.slice(turn.length);
      try {
        const events = await read(turn.flatMap(({ asked }) => asked));
        const byView = Map.groupBy(events, ({ view }) => view);
        for (const { asked, answer } of turn) {
          const views = new Set(asked.map(({ view }) => view));
          answer([...views].flatMap((view) => byView.get(view) ?? []));
        }
      } catch (fault) {
        for (const { fail } of turn) fail(fault);
      }
    }
    reading = false;
  };

  return (asked) => {
    if (asked.length === 0) return Promise.resolve([]);
    return new Promise((answer, fail) => {
      waiting.push({ asked, answer, fail });
      if (!reading) void readAll();
    });
  };
}

function takeTurn<Asked>(waiting: readonly Waiting<Asked>[]): Waiting<Asked>[] {
  let count = 0;
  const end = waiting.findIndex(({ asked }, index) => {
    count += asked.length;
    return index > 0 && count > windowsPerRead;
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}
