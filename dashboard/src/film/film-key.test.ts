import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOfFile } from '../../../src/import/media-import.ts';
import { filmKey } from './film-key.ts';

test.each([1, 262_144, 600_000, 9_000_001])('of %d bytes it is the service’s own', async (size) => {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 9)) % 251;
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-film-'));
  const file = join(folder, 'film.mp4');
  await writeFile(file, bytes);
  const expected = await keyOfFile(7, file, size);
  await rm(folder, { recursive: true });
  expect(await filmKey(7, new Blob([bytes]))).toBe(expected);
});
