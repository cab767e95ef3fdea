/** Admits requests, before their bodies are read, as there is room for their facts. */
import { assert } from '../../lib/assert.ts';
import { createFairTurns, type TakeTurn } from '../../lib/tasks/fair-turns.ts';
import { oneAtATime } from '../../lib/tasks/serial-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault, type UnavailableReason } from '../../vocabulary/faults.ts';

/** A player's usual beacons; or those of servers, and of players that kept them for long. */
type RequestSize = 'small' | 'large';

export interface AdmissionLimits {
  /** While that many facts wait or are coming, requests of a size wait outside, up to a limit. */
  readonly crowdedFacts: Readonly<Record<RequestSize, number>>;
  readonly waitForRoomMs: Readonly<Record<RequestSize, number>>;
  /** While that many wait, so do the parts of requests that make far more facts than beacons. */
  readonly factsBeforeParts: number;
}

const mostFactsOfSmall = 128;
/** Otherwise slow senders could hold the room of others for as long as they like. */
const longestComingMs = 1_000;
/** How often it is looked whether the next part may go. */
const lookEveryMs = 10;

/** Room for the facts of one request. */
export interface Room {
  /** Await it when the request has been read. A large one waits for its turn to be worked on. */
  arrived(): Promise<void> | undefined;
  /** Call it when all facts of the request are in the spool, or none will come. */
  leave(): void;
}

export interface Admission {
  /**
   * Await it before reading a request that brings at most this many facts. Resolves when there is
   * room for them and the store is ready, which nearly always is at once; rejects with UNAVAILABLE
   * if that takes too long. The room of a request that is not read within a second is given to
   * others.
   */
  requireRoom(mostFacts: number): Promise<Room> | Room;
  /** Await it between portions of large work. */
  takeTurn: TakeTurn;
  /**
   * Resolves when few enough facts wait for a part of a large request; those that asked before go
   * first. Rejects with UNAVAILABLE if that takes too long. The part is counted as coming until the
   * returned function is called.
   */
  requirePart(facts: number): Promise<() => void>;
  /** Call it when facts have left the spool. */
  letIn(): void;
  /** Requests that wait to be let in. */
  waitingRequests(): number;
  /** Refuses all waiting requests; call it when nothing is accepted any more. */
  close(): void;
}

interface EntranceOptions {
  readonly limits: AdmissionLimits;
  readonly waitingFacts: () => number;
  /** Undefined if facts are accepted. */
  readonly whyRefused: () => Fault | undefined;
  /** Whether the disk is full: then nothing that waits outside would be let in soon. */
  readonly isFull: () => boolean;
  /** Whether large requests must wait, so that the store has room for small ones. */
  readonly isFilling: () => boolean;
  readonly clock: Clock;
}

export function createAdmission(options: EntranceOptions): Admission {
  const { limits, waitingFacts, whyRefused, isFull, isFilling, clock } = options;
  let comingFacts = 0;
  let closed = false;
  const roomFor = (size: RequestSize) =>
    createAdmissionQueue({
      clock,
      longestWaitMs: limits.waitForRoomMs[size],
      take(mostFacts) {
        if (waitingFacts() + comingFacts >= limits.crowdedFacts[size]) return false;
        if ((size === 'large' && isFilling()) || whyRefused() !== undefined) return false;
        comingFacts += mostFacts;
        return true;
      },
    });
  // Otherwise many large requests would keep every small one waiting, although it is little work.
  const rooms = { small: roomFor('small'), large: roomFor('large') };
  const takeTurn = createFairTurns();

  const letIn = (): void => {
    rooms.small.letIn();
    rooms.large.letIn();
  };

  const coming = createDeadlines(clock);
  const roomOf = (mostFacts: number, size: RequestSize): Room => {
    let taken = mostFacts;
    let hasLeft = false;
    const giveBack = (): void => {
      comingFacts -= taken;
      assert(comingFacts >= 0, 'no more room is given back than was taken');
      taken = 0;
      letIn();
    };
    coming.expect(giveBack);
    return {
      arrived() {
        coming.came(giveBack);
        if (hasLeft) return undefined;
        comingFacts += mostFacts - taken;
        taken = mostFacts;
        return size === 'large' ? takeTurn() : undefined;
      },
      leave() {
        if (hasLeft) return;
        hasLeft = true;
        coming.came(giveBack);
        giveBack();
      },
    };
  };

  return {
    requireRoom(mostFacts) {
      const size = mostFacts > mostFactsOfSmall ? 'large' : 'small';
      const entering = !closed && !isFull() && rooms[size].enter(mostFacts);
      if (entering === true) return roomOf(mostFacts, size);
      return requireLetIn(entering, whyRefused).then(() => roomOf(mostFacts, size));
    },
    takeTurn,
    requirePart: createLineOfParts(options, () => closed),
    letIn,
    waitingRequests: () => rooms.small.size() + rooms.large.size(),
    close() {
      closed = true;
      for (const room of Object.values(rooms)) room.close();
      coming.close();
    },
  };
}

async function requireLetIn(
  entering: Promise<boolean> | false,
  whyRefused: EntranceOptions['whyRefused'],
): Promise<void> {
  if (!(await entering)) throw whyRefused() ?? tooManyWaiting();
}

/** Calls back for those that do not come in time: one timer for all, as nearly all come at once. */
function createDeadlines(clock: Clock) {
  const deadlines = new Map<() => void, number>();
  let cancel: (() => void) | undefined;
  const look = (): void => {
    cancel = undefined;
    const nowMs = clock.monotonic();
    const overdue: (() => void)[] = [];
    for (const [callBack, deadline] of deadlines) {
      if (deadline > nowMs) {
        cancel = clock.after(deadline - nowMs, look);
        break;
      }
      deadlines.delete(callBack);
      overdue.push(callBack);
    }
    // Only now: whoever is let in by these is waited for too, by the same timer.
    for (const callBack of overdue) callBack();
  };
  return {
    expect(callBack: () => void): void {
      deadlines.set(callBack, clock.monotonic() + longestComingMs);
      cancel ??= clock.after(longestComingMs, look);
    },
    came(callBack: () => void): void {
      // The timer stays: nearly always the next request comes before it is due.
      deadlines.delete(callBack);
    },
    close(): void {
      cancel?.();
    },
  };
}

/** The first part in line looks whether it may go; the others wait for it. */
function createLineOfParts(
  options: EntranceOptions,
  isClosed: () => boolean,
): Admission['requirePart'] {
  const { limits, waitingFacts, whyRefused, isFilling, clock } = options;
  const inLine = oneAtATime();
  let comingFacts = 0;
  const mayGo = () =>
    waitingFacts() + comingFacts < limits.factsBeforeParts && !isFilling() && !whyRefused();
  return (facts) => {
    const deadline = clock.monotonic() + limits.waitForRoomMs.large;
    return inLine(async () => {
      while (!mayGo()) {
        if (isClosed() || clock.monotonic() >= deadline) {
          throw whyRefused() ?? tooManyWaiting();
        }
        await sleep(clock, lookEveryMs);
      }
      comingFacts += facts;
      return () => {
        comingFacts -= facts;
      };
    });
  };
}

export function tooManyWaiting(): Fault {
  return unavailable('Too many facts are waiting', 'overload');
}

export function unavailable(detail: string, reason: UnavailableReason): Fault {
  return new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 2, reason });
}

/**
 * Where requests wait during overload. One that has waited too long is refused, not sooner: a
 * sender that is refused at once may come back at once, and the refusals alone would keep the
 * service busy.
 */
interface AdmissionQueue {
  /**
   * True if this much room was taken for the request at once; otherwise resolves to true when it
   * was, or to false after a timeout. Requests are admitted in order of arrival.
   */
  enter(amount: number): Promise<boolean> | true;
  /** Admits, in order, the requests for which there is room now. */
  letIn(): void;
  /** How many requests wait. */
  size(): number;
  /** Refuses all. */
  close(): void;
}

interface AdmissionQueueOptions {
  readonly longestWaitMs: number;
  /** Takes this much room if it is free; returns whether it did. */
  readonly take: (amount: number) => boolean;
  readonly clock: Clock;
}

interface Waiting {
  readonly amount: number;
  readonly leave: (isLetIn: boolean) => void;
}

export function createAdmissionQueue({
  longestWaitMs,
  take,
  clock,
}: AdmissionQueueOptions): AdmissionQueue {
  const waiting = new Set<Waiting>();
  const wait = (amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const leave = (isLetIn: boolean) => {
        cancel();
        waiting.delete(own);
        resolve(isLetIn);
      };
      const cancel = clock.after(longestWaitMs, () => leave(take(amount)));
      const own = { amount, leave };
      waiting.add(own);
    });
  return {
    enter: (amount) => (waiting.size === 0 && take(amount)) || wait(amount),
    letIn() {
      // Nearly always: an iterator of nothing costs every request more than this.
      if (waiting.size === 0) return;
      for (const { amount, leave } of waiting) {
        if (!take(amount)) return;
        leave(true);
      }
    },
    size: () => waiting.size,
    close() {
      for (const { leave } of waiting) leave(false);
    },
  };
}
