import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { isInUse, makeDataFolder, refuseBesideImport, tryToHoldForImport } from './data-folder.ts';

let folder: string;
beforeEach(async () => {
  const outer = await mkdtemp(join(tmpdir(), 'playmeter-folder-'));
  folder = join(outer, 'data');
  return () => rm(outer, { recursive: true, force: true });
});

const modeOf = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;

async function makeOpen(): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
}

test('a new folder is closed to other users', async () => {
  await makeDataFolder(join(folder, 'inner'));
  expect(await modeOf('inner')).toBe(0o700);
});

test.each(['', 'lost+found'])(
  'an open folder that is empty but for "%s" is closed',
  async (name) => {
    await makeOpen();
    if (name !== '') await mkdir(join(folder, name));
    await makeDataFolder(folder);
    expect(await modeOf()).toBe(0o700);
  },
);

test('the folder of an earlier release is closed, with its files', async () => {
  await makeOpen();
  for (const [name, mode] of [
    ['catalog.sqlite', 0o644],
    ['secret', 0o640],
    ['lock', 0o600],
  ] as const) {
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), mode);
  }
  await mkdir(join(folder, 'content'));
  await chmod(join(folder, 'content'), 0o755);
  await makeDataFolder(folder);
  expect(await modeOf()).toBe(0o700);
  for (const name of ['catalog.sqlite', 'secret', 'lock']) expect(await modeOf(name)).toBe(0o600);
  expect(await modeOf('content')).toBe(0o700);
});

test('what a link points to keeps its mode', async () => {
  await makeOpen();
  const media = join(folder, '../media');
  await mkdir(media);
  await chmod(media, 0o755);
  await symlink(media, join(folder, 'content'));
  await makeDataFolder(folder);
  expect(await modeOf('../media')).toBe(0o755);
});

test('an open folder of other things is left alone, and refused', async () => {
  await makeOpen();
  await writeFile(join(folder, 'letter.txt'), '');
  await expect(makeDataFolder(folder)).rejects.toThrow(
    `The folder ${folder} (DATA_DIR) cannot be used: other users may open it, and it holds other ` +
      'things. Set DATA_DIR to a folder of its own, which may lie inside that one',
  );
  expect(await modeOf()).toBe(0o755);
  await chmod(folder, 0o700);
  await expect(makeDataFolder(folder)).resolves.toBeUndefined();
});

// Only root can give a file away.
test.runIf(process.getuid?.() === 0)('what belongs to another user is refused', async () => {
  await makeDataFolder(folder);
  await writeFile(join(folder, 'secret'), '');
  await chown(join(folder, 'secret'), 4_321, 4_321);
  await expect(makeDataFolder(folder)).rejects.toThrow('secret in it belongs to user 4321');
  await rm(join(folder, 'secret'));
  await chown(folder, 4_321, 4_321);
  await expect(makeDataFolder(folder)).rejects.toThrow(
    'cannot be used: it belongs to user 4321, and this process runs as 0',
  );
});

test('an import that runs is noticed by others, until it has ended', async () => {
  await makeDataFolder(folder);
  expect(await isInUse(folder)).toBe(false);
  const release = tryToHoldForImport(folder);
  expect(await isInUse(folder)).toBe(true);
  expect(tryToHoldForImport(folder)).toBeUndefined();
  expect(() => refuseBesideImport(folder)).toThrow(
    `Another import uses ${folder} (DATA_DIR): run this one when it has ended`,
  );
  release?.();
  expect(await isInUse(folder)).toBe(false);
  expect(() => refuseBesideImport(folder)).not.toThrow();
});

test('those who look for an import at the same time do not take each other for one', async () => {
  await makeDataFolder(folder);
  const look = () =>
    promisify(execFile)(process.execPath, ['test/support/look-at-import-lock.ts', folder]);
  const looks = await Promise.allSettled([look(), look(), look(), look()]);
  expect(looks.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
});
