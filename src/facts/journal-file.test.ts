import * as nodeFileSystem from 'node:fs/promises';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FileSystem, openJournalFolder } from './journal-file.ts';

test('a file whose name cannot be made durable is closed and taken away again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
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
});
