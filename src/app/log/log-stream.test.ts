import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogStream } from './log-stream.ts';

test('lines that cannot be written are counted, and told of once they can be', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log');
  let disk = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(disk));
  // Without a pause in between: services of other files run in this process.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const write = (_fd: number, bytes: Buffer, from: number) => writeSync(disk, bytes, from);
  const stream = openLogStream(2, write as typeof writeSync);
  stream.onLost((lines) => stream.write(`lost ${lines}\n`));
  for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line);
  expect(stream.lostLines()).toBe(3);
  vi.advanceTimersByTime(5_000);
  expect(stream.lostLines()).toBe(3);
  closeSync(disk);
  disk = openSync(file, 'w');
  stream.write('four\n');
  vi.advanceTimersByTime(1_000);
  expect(readFileSync(file, 'utf8')).toBe('four\nlost 3\n');
  vi.advanceTimersByTime(5_000);
  expect(readFileSync(file, 'utf8')).toBe('four\nlost 3\n');
});
