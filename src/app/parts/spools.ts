/** The spools of facts and events, which take nothing where the disk has no room. */
import type { Registry } from 'prom-client';
import type { AccountLedger } from '../../collect/account-ledger.ts';
import { createSpool } from '../../collect/spool/spool.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Writer } from '../../store/facts.ts';
import type { Facts } from '../../store/open-facts.ts';
import { type DiskSpace, watchDiskSpace } from '../disk-space.ts';
import { configuredStore } from '../store-access.ts';
import type { WorkerLink } from '../workers/worker-link.ts';

interface SpoolContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly worker?: Pick<WorkerLink, 'number'>;
}

export function watchDisk(
  facts: Facts,
  { config, clock, logger, worker }: SpoolContext,
  metrics: Registry,
): Promise<DiskSpace> {
  // Of the processes of a node the first one looks after the engine's data.
  const isEngineOurs = !configuredStore(config) && (worker?.number ?? 1) === 1;
  return watchDiskSpace({
    folder: config.DATA_DIR,
    checkNewParts: isEngineOurs ? facts.checkNewParts : async () => {},
    ...{ clock, logger, metrics },
  });
}

export function createSpools(
  { stretches, events }: Facts,
  around: SpoolContext,
  { disk, accountLedger }: { readonly disk: DiskSpace; readonly accountLedger: AccountLedger },
) {
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
    spool: createSpool({ writer: withRoom(stretches), accountLedger, clock, logger, limits }),
    eventSpool: createSpool({ writer: withRoom(events), clock, logger }),
  };
}
