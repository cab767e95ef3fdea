/**
 * Watches the disk of the data folder. Where it is nearly full, senders are asked at once to come
 * again, instead of waiting until each write has failed for long enough.
 */
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { addGauge } from './lib/telemetry.ts';
import { createDamageSearch } from './search-damage.ts';

const lookEveryMs = 250;
/** As much as the engine and the journal write before the next look, with some to spare. */
const reservedBytes = 32 * 1_048_576;
/** Share of the disk that is free when its end is announced, unless that is as much as this. */
const scarceShare = 0.1;
const enoughBytes = 10 * 1_073_741_824;
/** So that a disk at the border is not announced again and again. */
const recovery = 1.2;

export interface DiskRoom {
  /** Undefined while there is room. */
  whyFull(): string | undefined;
  stop(): void;
}

interface DiskRoomOptions {
  readonly folder: string;
  /** See createDamageSearch. */
  readonly checkNewParts: (withinSeconds: number) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export async function watchDiskRoom(options: DiskRoomOptions): Promise<DiskRoom> {
  const { folder, checkNewParts: check, clock, logger, metrics } = options;
  const damageSearch = createDamageSearch({ check, clock, logger });
  let size = 0;
  let free = Number.POSITIVE_INFINITY;
  let isScarce = false;
  let isFull = false;
  let cancel = () => {};
  let isStopped = false;

  const look = async (): Promise<void> => {
    const { bsize, blocks, bavail } = await statfs(folder);
    size = bsize * blocks;
    free = bsize * bavail;
    const scarce = scarceBytes(size);
    const wasScarce = isScarce;
    isScarce = free < (isScarce ? scarce * recovery : scarce);
    if (isScarce && !wasScarce) {
      logger.warn({ folder, freeMb: megabytes(free) }, 'the disk of the data folder is filling up');
    }
    const wasFull = isFull;
    isFull = free < (isFull ? reservedBytes * recovery : reservedBytes);
    damageSearch.note(isFull);
    if (isFull === wasFull) return;
    const about = { folder, freeMb: megabytes(free) };
    if (isFull) logger.error(about, 'the disk is full: beacons get 503');
    else logger.warn(about, 'the disk has room again');
  };
  const lookAgain = (): void => {
    cancel = clock.after(lookEveryMs, () => {
      // What cannot be looked at is not said to be full.
      void look()
        .catch(() => {})
        .then(() => isStopped || lookAgain());
    });
  };
  await look();
  lookAgain();

  addGauge(metrics, 'playmeter_disk_free_bytes', 'Free room on the disk of DATA_DIR', () => free);
  addGauge(metrics, 'playmeter_disk_size_bytes', 'Size of the disk of DATA_DIR', () => size);
  addGauge(metrics, 'playmeter_disk_full', '1 while beacons are refused for want of room', () =>
    isFull ? 1 : 0,
  );
  return {
    whyFull: () => (isFull ? 'The disk is full' : undefined),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

/** Free bytes below which the end of a disk of this size is announced. */
export function scarceBytes(size: number): number {
  return Math.min(size * scarceShare, enoughBytes);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
