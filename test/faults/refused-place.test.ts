/** Where the system refuses a place, a sentence names it and says what to do. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { program } from '../support/program.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

async function newDisk(megabytes: number): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes);
  onTestFinished(() => disk.remove());
  return disk;
}

/** Its exit code, and what it says to people. */
async function run(enter: readonly string[], dataFolder: string, ...words: string[]) {
  const node = [process.execPath, ...packageJson.nodeFlags, program];
  const [command = '', ...rest] = [...enter, ...node, ...words];
  const env = { ...process.env, DATA_DIR: dataFolder, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said = await text(child.stderr);
  return { code: await ended, said: said.trim() };
}

async function readOnly({ enter, folder }: SmallDisk): Promise<void> {
  const [command = '', ...rest] = [...enter, 'mount', '-o', 'remount,ro', folder];
  await new Promise((resolve) => spawn(command, rest).once('exit', resolve));
}

const room = 'Make room on that disk, and run it again';
const writable = 'Mount that file system for writing, or name another folder';

test.each([['serve'], ['account', 'create', '--name', 'A']])(
  'a data folder on a full disk, then on one that is read-only: %s %s',
  async (...words) => {
    const disk = await newDisk(1);
    const data = join(disk.folder, 'data');
    await disk.fill();
    const full = await run(disk.enter, data, ...words);
    expect(full.code).toBe(1);
    expect(full.said).toContain(disk.folder);
    expect(full.said.endsWith(`. ${room}`), full.said).toBe(true);
    await disk.makeRoom();
    await readOnly(disk);
    const locked = await run(disk.enter, join(disk.folder, 'other'), ...words);
    expect(locked.code).toBe(1);
    expect(locked.said).toContain(join(disk.folder, 'other'));
    expect(locked.said.endsWith(`. ${writable}`), locked.said).toBe(true);
  },
);

test('a backup onto a full disk, and a restore onto one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-place-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));
  const data = join(folder, 'data');
  expect(await run([], data, 'account', 'create', '--name', 'A')).toEqual({ code: 0, said: '' });
  expect((await run([], data, 'backup', join(folder, 'backup'))).code).toBe(0);
  const disk = await newDisk(1);
  await disk.fill();
  const backup = await run(disk.enter, data, 'backup', join(disk.folder, 'backup'));
  expect(backup.code).toBe(1);
  expect(backup.said).toContain(join(disk.folder, 'backup'));
  expect(backup.said.endsWith(`. ${room}`), backup.said).toBe(true);
  await disk.makeRoom();
  await disk.leave(0.1);
  const restored = join(disk.folder, 'data');
  const restore = await run(disk.enter, restored, 'restore', join(folder, 'backup'));
  expect(restore.code).toBe(1);
  expect(restore.said).toContain(restored);
  expect(restore.said.endsWith(`. ${room}`), restore.said).toBe(true);
});

test('too few descriptors for a service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-place-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const few = await run(['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh'], folder, 'serve');
  expect(few).toEqual({
    code: 1,
    said:
      'playmeter serve: This process may open only 100 files, which is too few for a service: ' +
      'raise `ulimit -n` (LimitNOFILE of systemd) to 65536',
  });
});
