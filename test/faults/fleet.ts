/** Hundreds of viewers at once, each sending until all its reports are acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Oracle } from '../simulation/oracle.ts';
import type { Random } from '../simulation/random.ts';
import type { Viewer } from './cast.ts';
import type { FaultyNetwork } from './faulty-network.ts';

const beginWithinMs = 2_000;

export interface Fleet {
  /** Lets so many more viewers begin within the next seconds. */
  admit(viewers: number): void;
  begun(): number;
  underWay(): number;
  /** Resolves when every viewer has ended. */
  finish(): Promise<void>;
}

interface FleetOptions {
  readonly viewers: Iterator<Viewer, never>;
  readonly network: FaultyNetwork;
  readonly random: Random;
  /** Records the reports of viewers that send until they are acknowledged. */
  readonly oracle: Pick<Oracle, 'record'>;
  /** Hear what careless viewers sent, and what of it was acknowledged. */
  readonly careless: { readonly sent: Oracle; readonly acknowledged: Oracle };
}

export function startFleet(options: FleetOptions): Fleet {
  const { viewers, network, random, oracle, careless } = options;
  const underWay = new Set<Promise<void>>();
  let begun = 0;

  const send = async ({ rounds, reports, isCareless }: Viewer, own: Random): Promise<void> => {
    (isCareless ? careless.sent : oracle).record(...reports);
    await sleep(own.below(beginWithinMs));
    for (const messages of rounds) {
      const sending = messages.map(async (message) => {
        if (!isCareless) await network.deliver(message, own.fork());
        else if (await network.tryOnce(message, own)) careless.acknowledged.record(...reports);
      });
      await Promise.all(sending);
    }
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
    async finish() {
      await Promise.all(underWay);
    },
  };
}
