/** Hundreds of viewers at once, each sending until all its reports are acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../simulation/oracle.ts';
import type { Random } from '../simulation/random.ts';
import type { Viewer } from './cast.ts';
import type { FaultyNetwork } from './faulty-network.ts';

const beginWithinMs = 2_000;

export interface Fleet {
  /** Lets so many more viewers begin within the next seconds. */
  admit(viewers: number): void;
  begun(): number;
  underWay(): number;
  /** Viewers of whom everything is acknowledged, or will never be. */
  ended(): number;
  /** Resolves when every viewer has ended. */
  finish(): Promise<void>;
}

interface FleetOptions {
  readonly viewers: Iterator<Viewer, never>;
  readonly network: FaultyNetwork;
  readonly random: Random;
  /** Called before a viewer sends anything. */
  readonly begins: (viewer: Viewer) => void;
  /** Called when these are acknowledged, some of them more than once. */
  readonly areAcknowledged: (reports: readonly Report[]) => void;
  /** Called when all that a viewer sent is. */
  readonly isAcknowledged: (viewer: Viewer) => void;
}

export function startFleet(options: FleetOptions): Fleet {
  const { viewers, network, random, begins, areAcknowledged, isAcknowledged } = options;
  const underWay = new Set<Promise<void>>();
  let begun = 0;

  const send = async (viewer: Viewer, own: Random): Promise<void> => {
    const { rounds, isCareless } = viewer;
    begins(viewer);
    await sleep(own.below(beginWithinMs));
    for (const messages of rounds) {
      const sending = messages.map(async (message) => {
        if (isCareless) {
          if (!(await network.tryOnce(message, own))) return false;
        } else await network.deliver(message, own.fork());
        areAcknowledged(message.reports);
        return true;
      });
      if (!(await Promise.all(sending)).every(Boolean)) return;
    }
    areAcknowledged(viewer.reports);
    isAcknowledged(viewer);
  };

  return {
    admit(count) {
      begun += count;
      for (let viewer = 0; viewer < count; viewer += 1) {
        const sending = send(viewers.next().value, random.fork()).finally(() =>
          underWay.delete(sending),
        );
        underWay.add(sending);
      }
    },
    begun: () => begun,
    underWay: () => underWay.size,
    ended: () => begun - underWay.size,
    async finish() {
      await Promise.all(underWay);
    },
  };
}
