import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLogStream } from './log-stream.ts';

test('lines that cannot be written are counted, and told of once they can be', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log');
  const descriptor = openSync('/dev/full', 'w');
  const stream = openLogStream(descriptor);
  stream.onLost((lines) => stream.write(`lost ${lines}\n`));
  for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line);
  expect(stream.lostLines()).toBe(3);
  vi.advanceTimersByTime(5_000);
  expect(stream.lostLines()).toBe(3);
  // As if there were room again: the same descriptor is another file.
  closeSync(descriptor);
  expect(openSync(file, 'w')).toBe(descriptor);
  onTestFinished(() => closeSync(descriptor));
  stream.write('four\n');
  vi.advanceTimersByTime(1_000);
  expect(readFileSync(file, 'utf8')).toBe('four\nlost 3\n');
  vi.advanceTimersByTime(5_000);
  expect(readFileSync(file, 'utf8')).toBe('four\nlost 3\n');
});
