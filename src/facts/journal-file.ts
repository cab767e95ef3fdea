/** A file of the journal: frames of length, checksum and rows of facts, one behind the other. */
import { open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const suffix = '.journal';

/** Two numbers of 32 bits, the lower byte first. */
const headBytes = 8;

export function frameOf(rows: Buffer): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(rows.length, 0);
  head.writeUInt32LE(crc32(rows), 4);
  return Buffer.concat([head, rows]);
}

/**
 * What the frames hold, and how many bytes at the end are no whole frame: a write that a crash cut
 * off. It was not acknowledged, and nothing stands behind it.
 */
export function readFrames(bytes: Buffer): { rows: Buffer; tornBytes: number } {
  const whole: Buffer[] = [];
  let at = 0;
  while (at + headBytes <= bytes.length) {
    const end = at + headBytes + bytes.readUInt32LE(at);
    const rows = bytes.subarray(at + headBytes, end);
    if (end > bytes.length || crc32(rows) !== bytes.readUInt32LE(at + 4)) break;
    whole.push(rows);
    at = end;
  }
  return { rows: Buffer.concat(whole), tornBytes: bytes.length - at };
}

export interface JournalFile {
  /** Resolves when the rows are durable. After a rejection nothing more may be appended. */
  append(rows: Buffer): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** `number` is the file's place in the order, and not to be taken yet. */
export async function createFile(folder: string, number: number): Promise<JournalFile> {
  const path = join(folder, `${String(number).padStart(12, '0')}${suffix}`);
  const file = await open(path, 'ax', 0o600);
  await syncFolder(folder);
  return {
    async append(rows) {
      await file.appendFile(frameOf(rows));
      await file.datasync();
    },
    close: () => file.close(),
    remove: () => unlink(path),
  };
}

/** Also the file's name has to outlive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The files that an earlier run has left, in their order. */
export async function* leftFiles(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();
  for (const name of names) {
    const path = join(folder, name);
    yield { ...readFrames(await readFile(path)), remove: () => unlink(path) };
  }
}
