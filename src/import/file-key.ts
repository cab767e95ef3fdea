import { type FileHandle, open } from 'node:fs/promises';
import { stableKey } from './stable-key.ts';

const pieces = 16;
const pieceBytes = 262_144;

/**
 * The same file has the same key, whatever its name and folder. For a large file, the key covers
 * its size and pieces spread over it: a film of many gigabytes is not read in full, and two that
 * differ anywhere differ in size or in their index.
 */
export async function keyOfFile(accountId: number, file: string, size: number): Promise<string> {
  const handle = await open(file);
  try {
    const parts: (string | Buffer)[] = ['file', `${size}`];
    const step = Math.max(pieceBytes, Math.floor((size - pieceBytes) / (pieces - 1)));
    for (let at = 0; at < size && parts.length < pieces + 2; at += step) {
      parts.push(await readPiece(handle, at));
    }
    return stableKey(accountId, parts);
  } finally {
    await handle.close();
  }
}

async function readPiece(handle: FileHandle, position: number): Promise<Buffer> {
  const buffer = Buffer.alloc(pieceBytes);
  const { bytesRead } = await handle.read({ buffer, position });
  return buffer.subarray(0, bytesRead);
}
