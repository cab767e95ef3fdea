import * as nodeFileSystem from 'node:fs/promises';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FileSystem, openJournalFolder } from './journal-file.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('files come in the order of their numbers, however the system lists them', async () => {
  const folder = await newFolder();
  const left = ['000000000009.journal', '000000000010.journal', '000000000011.journal'];
  for (const name of left) await writeFile(join(folder, name), '');
  const backwards = async (path: string) => (await nodeFileSystem.readdir(path)).reverse();
  const readdir = backwards as FileSystem['readdir'];
  const journal = await openJournalFolder(folder, { ...nodeFileSystem, readdir });
  const names: string[] = [];
  for await (const { name } of journal.leftFiles()) names.push(name);
  expect(names).toEqual(left);
  const file = await journal.createFile();
  expect(file.name).toBe('000000000012.journal');
  await file.close();
});

test('a file whose name cannot be made durable is closed and taken away again', async () => {
  const folder = await newFolder();
  const opened: nodeFileSystem.FileHandle[] = [];
  let areTooMany = false;
  const open: FileSystem['open'] = async (path, ...how) => {
    // As the system answers where a process has opened as many as it may.
    if (areTooMany && path === folder) throw Object.assign(new Error(), { code: 'EMFILE' });
    const handle = await nodeFileSystem.open(path, ...how);
    opened.push(handle);
    return handle;
  };
  const journal = await openJournalFolder(folder, { ...nodeFileSystem, open });
  areTooMany = true;
  await expect(journal.createFile()).rejects.toMatchObject({ code: 'EMFILE' });
  expect(opened.map(({ fd }) => fd).filter((fd) => fd !== -1)).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
  areTooMany = false;
  const file = await journal.createFile();
  expect(await readdir(folder)).toEqual([file.name]);
  await file.close();
  expect(opened.map(({ fd }) => fd).filter((fd) => fd !== -1)).toEqual([]);
});
