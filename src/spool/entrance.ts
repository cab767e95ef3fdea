/** Lets requests in as there is room for what they bring, before their bodies are read. */
import { Fault } from '../wire/faults.ts';
import { createWaitingRoom } from './waiting-room.ts';

/** What a player tells of a while; or what servers tell, and players that kept it for long. */
type RequestSize = 'small' | 'large';

export interface EntranceLimits {
  /** While so many facts wait or are coming, requests of a size are kept outside, for a while. */
  readonly crowdedFacts: Readonly<Record<RequestSize, number>>;
  readonly waitForRoomMs: Readonly<Record<RequestSize, number>>;
}

const mostFactsOfSmall = 128;
/** Slow senders would else keep the place of others for as long as they like. */
const longestComingMs = 1_000;

export interface Entrance {
  /**
   * To be awaited before a request is read that brings so many facts at most. Resolves when there
   * is room for them and the store is ready, to what is to be called when it was read; rejects with
   * UNAVAILABLE where that took too long.
   */
  requireRoom(mostFacts: number): Promise<() => void>;
  /** To be called when facts have left. */
  letIn(): void;
  /** Sends away whoever waits; to be called when all are refused. */
  close(): void;
}

interface EntranceOptions {
  readonly limits: EntranceLimits;
  readonly waitingFacts: () => number;
  /** Undefined where facts are taken. */
  readonly whyRefused: () => Fault | undefined;
}

export function createEntrance({ limits, waitingFacts, whyRefused }: EntranceOptions): Entrance {
  let comingFacts = 0;
  let closed = false;
  const roomFor = (size: RequestSize) =>
    createWaitingRoom({
      longestWaitMs: limits.waitForRoomMs[size],
      take(mostFacts) {
        if (waitingFacts() + comingFacts >= limits.crowdedFacts[size]) return false;
        if (whyRefused() !== undefined) return false;
        comingFacts += mostFacts;
        return true;
      },
    });
  // Many large requests would else keep every small one waiting, although it is little work.
  const rooms = { small: roomFor('small'), large: roomFor('large') };

  const letIn = (): void => {
    rooms.small.letIn();
    rooms.large.letIn();
  };

  /** What was taken is given back once: when it is called, or when that takes too long. */
  const coming = (mostFacts: number): (() => void) => {
    let taken = mostFacts;
    const leave = (): void => {
      clearTimeout(timer);
      comingFacts -= taken;
      taken = 0;
      letIn();
    };
    const timer = setTimeout(leave, longestComingMs);
    return leave;
  };

  return {
    async requireRoom(mostFacts) {
      const size = mostFacts > mostFactsOfSmall ? 'large' : 'small';
      const isLetIn = !closed && (await rooms[size].enter(mostFacts));
      if (!isLetIn) throw whyRefused() ?? unavailable('Too much is waiting');
      return coming(mostFacts);
    },
    letIn,
    close() {
      closed = true;
      for (const room of Object.values(rooms)) room.close();
    },
  };
}

export function unavailable(detail: string): Fault {
  return new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 2 });
}
