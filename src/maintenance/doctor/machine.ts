/** The machine: its disk, its memory, and how many files a process may open. */
import type { StatsFs } from 'node:fs';
import { totalmem } from 'node:os';
import { availableMemory, constrainedMemory } from 'node:process';
import { error, type Finding, formatSize, ok, warning } from './doctor.ts';

/** So many connections a single site may have open, beside the store's files. */
const comfortableFiles = 4_096;

interface Disk {
  readonly folder: string;
  readonly room: Pick<StatsFs, 'bsize' | 'blocks' | 'bavail' | 'files' | 'ffree'>;
  /** Free bytes below which the service warns, for a disk of this size. */
  scarceBytes(size: number): number;
  /** The same, of inodes. */
  scarceInodes(inodes: number): number;
  /** What is left where the service refuses beacons; undefined if they are stored elsewhere. */
  readonly reserved: { readonly bytes: number; readonly inodes: number } | undefined;
}

export function lookAtDisk(disk: Disk): Finding[] {
  const { folder, room, scarceBytes, scarceInodes, reserved } = disk;
  const { bsize, blocks, bavail, files, ffree } = room;
  const free = bavail * bsize;
  const found = `${formatSize(free)} of ${formatSize(blocks * bsize)} are free on the disk of ${folder}`;
  const isScarce = free < scarceBytes(blocks * bsize);
  const remedy = 'Make room or enlarge the disk: when it is full, beacons are refused';
  // Some file systems make inodes as they need them, and say that there are 0.
  const isShortOfInodes = files > 0 && ffree < scarceInodes(files);
  const isFull = reserved && (free < reserved.bytes || (files > 0 && ffree < reserved.inodes));
  return [
    ...(isFull ? [error(`The disk of ${folder} is full: beacons are refused`, 'Make room')] : []),
    isScarce ? warning(found, remedy) : ok(found),
    ...(isShortOfInodes
      ? [
          warning(
            `${ffree} of ${files} inodes are free on the disk of ${folder}`,
            'Delete small files of other programs, or use a file system with more inodes',
          ),
        ]
      : []),
  ];
}

interface MemoryNeeds {
  /** Of the bundled engine; undefined if another server is configured. */
  readonly engineMb: number | undefined;
  readonly serviceMb: number;
}

export function lookAtMemory({ engineMb, serviceMb }: MemoryNeeds): Finding[] {
  const megabyte = 1_048_576;
  // What is allowed may be less than what is there: the limit of a container.
  const allowed = constrainedMemory();
  const all = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  const needed = ((engineMb ?? 0) + serviceMb) * megabyte;
  const memory = `${formatSize(all)} of memory, of which ${formatSize(availableMemory())} are free`;
  if (all >= needed) return [ok(`${memory}; the service may use ${formatSize(needed)}`)];
  const remedy = engineMb
    ? `Give it ${formatSize(needed)}, or lower ENGINE_MEMORY_MB, which makes large questions fail`
    : `Give it ${formatSize(needed)}`;
  return [warning(`${memory}; the service may need ${formatSize(needed)}`, remedy)];
}

interface FileLimits {
  /** Files that the running service may open; undefined: none runs, or it does not say so. */
  readonly ofService: number | undefined;
  /** Files that a process may open which is started as this one was. */
  readonly ofProcess: number;
}

export function lookAtOpenFiles({ ofService, ofProcess }: FileLimits): Finding[] {
  const who = ofService === undefined ? 'A process that is started here' : 'The running service';
  const limit = ofService ?? ofProcess;
  const files = `${who} may open ${Number.isFinite(limit) ? limit : 'any number of'} files`;
  if (limit >= comfortableFiles) return [ok(files)];
  const connections = Math.floor((limit * 3) / 4);
  const what = `${files}: at most ${connections} connections at once`;
  return limit < 256
    ? [error(what, 'Raise `ulimit -n` (LimitNOFILE of systemd) to 65536')]
    : [warning(what, 'Raise `ulimit -n` (LimitNOFILE of systemd) to 65536')];
}
