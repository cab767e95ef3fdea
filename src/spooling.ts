/** The spools of facts and events, which take nothing where the disk has no room. */
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { type DiskRoom, watchDiskRoom } from './disk-room.ts';
import type { Writer } from './facts/facts.ts';
import type { Facts } from './facts/open-facts.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { createSpool } from './spool/spool.ts';
import { configuredStore } from './store-access.ts';
import type { WorkerLink } from './workers/worker-link.ts';

interface SpoolSurroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly worker?: Pick<WorkerLink, 'number'>;
}

export function watchDisk(
  facts: Facts,
  { config, clock, logger, worker }: SpoolSurroundings,
  metrics: Registry,
): Promise<DiskRoom> {
  // Of the processes of a node the first one looks after the engine's data.
  const isEngineOurs = !configuredStore(config) && (worker?.number ?? 1) === 1;
  return watchDiskRoom({
    folder: config.DATA_DIR,
    checkNewParts: isEngineOurs ? facts.checkNewParts : async () => {},
    ...{ clock, logger, metrics },
  });
}

export function spoolsOf({ stretches, events }: Facts, around: SpoolSurroundings, disk: DiskRoom) {
  const { config, clock, logger } = around;
  const limits = { insertEveryMs: stretches.everyMs };
  /** A configured server has a disk of its own. */
  const withRoom = <Item>(writer: Writer<Item>): Writer<Item> =>
    config.CLICKHOUSE_URL
      ? writer
      : {
          ...writer,
          whyNotReady: () => disk.whyFull() ?? writer.whyNotReady(),
          isFull: () => disk.whyFull() !== undefined,
        };
  return {
    spool: createSpool({ writer: withRoom(stretches), clock, logger, limits }),
    eventSpool: createSpool({ writer: withRoom(events), clock, logger }),
  };
}
