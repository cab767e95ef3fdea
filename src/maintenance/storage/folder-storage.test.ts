import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderPlace } from './folder-storage.ts';
import type { Confirm, Place } from './storage-target.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-place-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** More than is synced at once, and not a multiple of it. */
const content = randomBytes(20 * 1_048_576 + 1);
const { signal } = new AbortController();

test('a large file has the bytes that were written, and replaces an earlier one', async () => {
  const place = folderPlace(join(folder, 'large'));
  const sha256 = createHash('sha256').update(content).digest('hex');
  await place.write('in/it.bin', Readable.from([Buffer.from('earlier')]), { signal });
  const chunks = Array.from({ length: 21 }, (_, at) =>
    content.subarray(at * 1_048_576, (at + 1) * 1_048_576),
  );
  const written = await place.write('in/it.bin', Readable.from(chunks), { signal });
  await place.writeText('manifest.json', 'last');
  expect(written).toEqual({ bytes: content.length, sha256 });
  expect(content.equals(await readFile(join(place.location, 'in/it.bin')))).toBe(true);
  expect(await readdir(place.location, { recursive: true })).toEqual(
    expect.arrayContaining(['in', 'in/it.bin', 'manifest.json']),
  );
});

test('whatever is written is closed to other users', async () => {
  const place = folderPlace(join(folder, 'closed'));
  await place.write('in/it.bin', Readable.from([Buffer.from('facts')]), { signal });
  await place.writeText('manifest.json', 'last');
  const modeOf = async (path: string) => (await stat(join(place.location, path))).mode & 0o777;
  expect(await Promise.all(['.', 'in'].map(modeOf))).toEqual([0o700, 0o700]);
  expect(await Promise.all(['in/it.bin', 'manifest.json'].map(modeOf))).toEqual([0o600, 0o600]);
});

test('a write that is interrupted in its midst leaves the earlier file, and nothing else', async () => {
  const place = folderPlace(join(folder, 'broken'));
  await place.write('it.bin', Readable.from([Buffer.from('earlier')]), { signal });
  const breaking = new AbortController();
  async function* chunks() {
    yield content;
    breaking.abort();
    yield content;
  }
  const writing = place.write('it.bin', Readable.from(chunks()), { signal: breaking.signal });
  await expect(writing).rejects.toThrow(/abort/i);
  expect(await readdir(place.location)).toEqual(['it.bin']);
  expect(await readFile(join(place.location, 'it.bin'), 'utf8')).toBe('earlier');
});

/** Writes `it.bin`, and hangs in its midst. */
function begin(place: Place, text: string, confirm?: Confirm) {
  const [began, hangs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* chunks() {
    yield Buffer.from(`${text}, `);
    began.resolve();
    await hangs.promise;
    yield Buffer.from(text);
  }
  const ended = place.write('it.bin', Readable.from(chunks()), { signal, confirm });
  return { began: began.promise, goOn: hangs.resolve, ended };
}

test('one that is no longer allowed to leaves alone what another writes under the same name', async () => {
  const place = folderPlace(join(folder, 'taken over'));
  await place.write('it.bin', Readable.from([Buffer.from('earlier')]), { signal });
  const late = begin(place, 'late', () => Promise.reject(new Error('lost')));
  await late.began;
  const next = begin(place, 'next');
  await next.began;
  late.goOn();
  await expect(late.ended).rejects.toThrow('lost');
  expect(await readFile(join(place.location, 'it.bin'), 'utf8')).toBe('earlier');
  next.goOn();
  await next.ended;
  expect(await readdir(place.location)).toEqual(['it.bin']);
  expect(await readFile(join(place.location, 'it.bin'), 'utf8')).toBe('next, next');
});

test.each(['in its midst', 'once it has all bytes'])(
  'one that hung %s does not publish what another has begun under the same name',
  async (hung) => {
    const place = folderPlace(join(folder, hung));
    await place.write('it.bin', Readable.from([Buffer.from('earlier')]), { signal });
    const [asks, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = begin(place, 'late', () => {
      asks.resolve();
      return allowed.promise;
    });
    await late.began;
    if (hung === 'once it has all bytes') {
      late.goOn();
      await asks.promise;
    }
    const next = begin(place, 'next');
    await next.began;
    late.goOn();
    allowed.resolve();
    await expect(late.ended).rejects.toThrow('Another process has replaced');
    expect(await readFile(join(place.location, 'it.bin'), 'utf8')).toBe('earlier');
    next.goOn();
    await next.ended;
    expect(await readFile(join(place.location, 'it.bin'), 'utf8')).toBe('next, next');
  },
);
