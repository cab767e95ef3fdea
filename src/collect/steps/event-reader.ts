/**
 * Reads the event log for many at once: while one read is under way, others wait and go together
 * with the next, so that the load sets the size of the reads and not their number.
 */
import {
  type EventLog,
  mostEventsOfRead,
  mostEventsOfView,
  type PlayerEvent,
  type ViewName,
  type ViewSize,
  type ViewWindow,
} from '../../store/facts.ts';

const viewsPerRead = 200;

/** Answers are undefined if the view has more events than a player sends. */
export interface EventReader {
  /** The events in the window, and possibly some more of the same view. */
  read(window: ViewWindow): Promise<PlayerEvent[] | undefined>;
  beginnings(view: ViewName): Promise<PlayerEvent[] | undefined>;
}

type ReadLog = Pick<EventLog, 'read' | 'beginnings' | 'count'>;

export function readTogether(log: ReadLog): EventReader {
  const count = (windows: readonly ViewWindow[]) => log.count(windows);
  return {
    read: group((windows) => log.read(windows), count),
    beginnings: group(
      (views) => log.beginnings(views),
      (views) => count(views.map((view) => ({ ...view, ...always }))),
    ),
  };
}

const always = { fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };

/** A view that was asked for, with all who asked. */
interface Waiting<Asked> {
  asked: Asked;
  readonly answers: ((events: PlayerEvent[] | undefined) => void)[];
  readonly failures: ((fault: unknown) => void)[];
  /** How many events it has at most; known once a read of it and others was too large. */
  events: number;
}

type Queue<Asked> = Map<string, Waiting<Asked>>;

function group<Asked extends ViewName>(
  read: (asked: readonly Asked[]) => Promise<PlayerEvent[] | undefined>,
  count: (asked: readonly Asked[]) => Promise<ViewSize[]>,
): (asked: Asked) => Promise<PlayerEvent[] | undefined> {
  const fresh: Queue<Asked> = new Map();
  /** Those that were too many at once, counted since. */
  const counted: Queue<Asked> = new Map();
  let reading = false;

  const readTurn = async (turn: Queue<Asked>): Promise<void> => {
    const asked = [...turn.values()].map((one) => one.asked);
    if (asked.length === 0) return;
    const answer = (view: string, events: PlayerEvent[] | undefined) => {
      for (const answerOne of turn.get(view)?.answers ?? []) answerOne(events);
    };
    try {
      const events = await read(asked);
      if (events) {
        const byView = Map.groupBy(events, ({ view }) => view);
        for (const view of turn.keys()) answer(view, unlessTooMany(byView.get(view) ?? []));
      } else if (turn.size === 1) {
        for (const view of turn.keys()) answer(view, undefined);
      } else {
        const sizes = new Map((await count(asked)).map((one) => [one.view, one.events]));
        for (const [view, waiting] of turn) {
          waiting.events = sizes.get(view) ?? 0;
          if (waiting.events > mostEventsOfView) answer(view, undefined);
          else add(counted, view, waiting);
        }
      }
    } catch (fault) {
      for (const { failures } of turn.values()) for (const fail of failures) fail(fault);
    }
  };

  const readAll = async (): Promise<void> => {
    reading = true;
    while (fresh.size + counted.size > 0) {
      await readTurn(takeTurn(fresh));
      await readTurn(takeTurn(counted));
    }
    reading = false;
  };

  return (asked) =>
    new Promise((answer, fail) => {
      add(fresh, asked.view, { asked, answers: [answer], failures: [fail], events: 0 });
      if (!reading) void readAll();
    });
}

function unlessTooMany(events: PlayerEvent[]): PlayerEvent[] | undefined {
  return events.length > mostEventsOfView ? undefined : events;
}

function add<Asked extends ViewName>(
  queue: Queue<Asked>,
  view: string,
  waiting: Waiting<Asked>,
): void {
  const before = queue.get(view);
  if (before === undefined) {
    queue.set(view, waiting);
    return;
  }
  before.asked = both(before.asked, waiting.asked);
  before.answers.push(...waiting.answers);
  before.failures.push(...waiting.failures);
  before.events += waiting.events;
}

/** One window around two of the same view. */
function both<Asked extends ViewName & Partial<ViewWindow>>(one: Asked, other: Asked): Asked {
  if (one.fromMs === undefined || other.fromMs === undefined) return one;
  const fromMs = Math.min(one.fromMs, other.fromMs);
  const untilMs = Math.max(one.untilMs ?? fromMs, other.untilMs ?? fromMs);
  return { ...one, fromMs, untilMs };
}

function takeTurn<Asked>(queue: Queue<Asked>): Queue<Asked> {
  const turn: Queue<Asked> = new Map();
  let events = 0;
  for (const [view, waiting] of queue) {
    events += waiting.events;
    if (turn.size === viewsPerRead || (turn.size > 0 && events > mostEventsOfRead)) break;
    turn.set(view, waiting);
    queue.delete(view);
  }
  return turn;
}
