/**
 * Watches the disk of the data folder. Where it is nearly full, senders are asked at once to come
 * again, instead of waiting until each write has failed for long enough.
 */
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import type { Logger } from '../lib/logger.ts';
import { addGauge } from '../lib/telemetry.ts';
import type { Clock } from '../lib/time/clock.ts';

const lookEveryMs = 250;
/**
 * Less is full: as much as the engine and the journal write before the next look, with some to
 * spare.
 */
export const reservedBytes = 32 * 1_048_576;
/** Share of the disk that is free when its end is announced, unless that is as much as this. */
const scarceShare = 0.1;
/** A merge makes some hundred files at once. */
export const reservedInodes = 1_000;
const enoughBytes = 10 * 1_073_741_824;
/** So that a disk at the border is not announced again and again. */
const recovery = 1.2;

export interface DiskSpace {
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

export async function watchDiskSpace(options: DiskRoomOptions): Promise<DiskSpace> {
  const { folder, checkNewParts: check, clock, logger, metrics } = options;
  const damageSearch = createDamageSearch({ check, clock, logger });
  let room = { size: 0, free: Number.POSITIVE_INFINITY, inodes: NaN, freeInodes: NaN };
  let isScarce = false;
  let isFull = false;
  let cancel = () => {};
  let isStopped = false;

  const look = async (): Promise<void> => {
    room = await measureRoom(folder);
    const { size, free, inodes, freeInodes } = room;
    /** NaN is never less. */
    const isLess = (bytes: number, files: number, isSo: boolean): boolean => {
      const times = isSo ? recovery : 1;
      return free < bytes * times || freeInodes < files * times;
    };
    const about = {
      ...{ folder, freeMb: megabytes(free) },
      ...(Number.isNaN(freeInodes) ? {} : { freeInodes }),
    };
    const wasScarce = isScarce;
    isScarce = isLess(scarceBytes(size), scarceInodes(inodes), isScarce);
    if (isScarce && !wasScarce) logger.warn(about, 'the disk of the data folder is filling up');
    const wasFull = isFull;
    isFull = isLess(reservedBytes, reservedInodes, isFull);
    damageSearch.note(isFull);
    if (isFull === wasFull) return;
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

  const add = (name: string, help: string, read: () => number) =>
    addGauge(metrics, `playmeter_disk_${name}`, help, read);
  const unbound = 'NaN: the file system makes them as it needs them';
  add('free_bytes', 'Free room on the disk of DATA_DIR', () => room.free);
  add('size_bytes', 'Size of the disk of DATA_DIR', () => room.size);
  const filesThat = (fit: string) => `Files that ${fit} on the disk of DATA_DIR; ${unbound}`;
  add('free_inodes', filesThat('still fit'), () => room.freeInodes);
  add('inodes', filesThat('fit'), () => room.inodes);
  add('full', '1 while beacons are refused for want of room', () => (isFull ? 1 : 0));
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

/** The same, of inodes. */
export function scarceInodes(inodes: number): number {
  return inodes * scarceShare;
}

async function measureRoom(folder: string) {
  const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
  // Some file systems make inodes as they need them, and say that there are 0.
  const [inodes, freeInodes] = files > 0 ? [files, ffree] : [NaN, NaN];
  return { size: bsize * blocks, free: bsize * bavail, inodes, freeInodes };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

const everyMs = 60_000;
/** Written before the disk was seen to be full. */
const beforeMs = 60_000;

interface DamageSearch {
  /** To be called now and then, with whether there is room. */
  note(isFull: boolean): void;
}

interface DamageSearchOptions {
  /** Looks at what was written in these last seconds. */
  readonly check: (withinSeconds: number) => Promise<void>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * A merge that ran out of room can leave a damaged part. The engine finds that out when it reads
 * the part, and keeps what was merged for eight minutes only: so it is made to read what is new.
 */
export function createDamageSearch({ check, clock, logger }: DamageSearchOptions): DamageSearch {
  let wasFull = false;
  let isChecking = false;
  /** Undefined once all that was written without room has been looked at. */
  let uncheckedSinceMs: number | undefined;
  let checkAtMs = Number.POSITIVE_INFINITY;

  const look = async (sinceMs: number, isFull: boolean): Promise<void> => {
    const startedAtMs = clock.monotonic();
    await check(Math.ceil((startedAtMs - sinceMs + beforeMs) / 1_000));
    uncheckedSinceMs = isFull || wasFull ? startedAtMs : undefined;
  };

  return {
    note(isFull) {
      const nowMs = clock.monotonic();
      if (isFull) uncheckedSinceMs ??= nowMs;
      if (isFull !== wasFull) checkAtMs = isFull ? nowMs + everyMs : nowMs;
      wasFull = isFull;
      if (uncheckedSinceMs === undefined || isChecking || nowMs < checkAtMs) return;
      isChecking = true;
      checkAtMs = nowMs + everyMs;
      void look(uncheckedSinceMs, isFull)
        .catch((error: Error) => {
          logger.warn({ reason: error.message }, 'new parts could not be checked, trying again');
        })
        .finally(() => {
          isChecking = false;
        });
    },
  };
}
