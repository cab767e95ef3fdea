/**
 * A disk of a few hundred megabytes that a test can fill to the last byte. It is mounted for those
 * processes alone that are put onto it, so that nothing is left behind, however the test ends. Needs
 * to be root, or a system that lets users have namespaces of their own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const refillEveryMs = 10;
const largestPiece = Buffer.alloc(1 << 20);
const smallestPieceBytes = 1 << 9;

export interface SmallDisk {
  /** Its root, as those see it that are on it. */
  readonly folder: string;
  /** Words to be put before a command, so that it is on the disk. */
  readonly enter: readonly string[];
  /** Leaves no room, and takes what becomes free, until `makeRoom`. */
  fill(): Promise<void>;
  /** Leaves so much room once, whatever is written afterwards. */
  leave(megabytes: number): Promise<void>;
  /** Leaves so many inodes once, however many files there are afterwards. */
  leaveInodes(count: number): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** `inodes`: how many files fit on it; default: as many as the system gives such a disk. */
export async function mountSmallDisk(megabytes: number, inodes?: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-disk-'));
  const isRoot = process.getuid?.() === 0;
  const asRoot = isRoot ? [] : ['--user', '--map-root-user'];
  const size = [`size=${megabytes}m`, ...(inodes ? [`nr_inodes=${inodes}`] : [])].join(',');
  const mount = `mount -t tmpfs -o ${size} playmeter "$0" && echo mounted && exec cat`;
  const keeper = spawn('unshare', [...asRoot, '--mount', 'sh', '-c', mount, folder]);
  let complaint = '';
  keeper.stderr.on('data', (text) => {
    complaint += text;
  });
  keeper.once('error', (error) => {
    complaint += error.message;
  });
  const isMounted = await Promise.race([
    once(keeper.stdout, 'data').then(() => true),
    once(keeper, 'close').then(() => false),
  ]);
  if (!isMounted) {
    await rm(folder, { recursive: true });
    throw new Error(`No small disk can be mounted here without more rights. ${complaint}`);
  }
  const target = ['--target', String(keeper.pid), '--mount'];
  const asUser = isRoot ? [] : ['--user', '--preserve-credentials'];
  // The disk as it is seen from outside, through the process that keeps it.
  const outside = `/proc/${keeper.pid}/root${folder}`;
  const ballast = fillerOf(join(outside, 'ballast'));
  const weight = join(outside, 'weight');
  const crowd = join(outside, 'crowd');

  return {
    folder,
    enter: ['nsenter', ...target, ...asUser, '--'],
    fill: ballast.fill,
    leave: (megabytes) => leaveBeside(weight, megabytes * largestPiece.length),
    leaveInodes: (count) => leaveInodesBeside(crowd, count),
    async makeRoom() {
      await ballast.remove();
      await rm(weight, { force: true });
      await rm(crowd, { recursive: true, force: true });
    },
    async remove() {
      await ballast.remove();
      keeper.stdin.end();
      await once(keeper, 'close');
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes the file as large as it takes to leave so many bytes of its disk. */
async function leaveBeside(path: string, bytes: number): Promise<void> {
  await appendFile(path, '');
  const { bsize, bavail } = await statfs(path);
  let missing = bavail * bsize - bytes;
  if (missing < 0) await truncate(path, (await stat(path)).size + missing);
  for (; missing > 0; missing -= largestPiece.length) {
    await appendFile(path, largestPiece.subarray(0, missing));
  }
}

/** Puts as many files into the folder as it takes to leave so many inodes of its disk. */
async function leaveInodesBeside(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { length: before } = await readdir(folder);
  const { ffree } = await statfs(folder);
  for (let file = before; file < before + ffree - count; file += 1) {
    await writeFile(join(folder, String(file)), '');
  }
}

function fillerOf(path: string) {
  let file: FileHandle | undefined;
  let refilling: NodeJS.Timeout | undefined;
  let filling = Promise.resolve();

  const fillOnce = async (): Promise<void> => {
    for (let bytes = largestPiece.length; bytes >= smallestPieceBytes && file; ) {
      const written = await file.write(largestPiece, 0, bytes).then(
        ({ bytesWritten }) => bytesWritten,
        () => 0,
      );
      if (written < bytes) bytes /= 2;
    }
  };
  const fillInTurn = (): Promise<void> => {
    filling = filling.then(fillOnce);
    return filling;
  };
  return {
    async fill() {
      file ??= await open(path, 'w');
      await fillInTurn();
      refilling ??= setInterval(fillInTurn, refillEveryMs);
    },
    async remove() {
      clearInterval(refilling);
      refilling = undefined;
      const filled = file;
      file = undefined;
      await filling;
      await filled?.close();
      await rm(path, { force: true });
    },
  };
}
