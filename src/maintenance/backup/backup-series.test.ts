import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { folderPlace } from '../storage/folder-storage.ts';
import {
  nameBackup,
  readSeries,
  refuseScheduledAsBase,
  removeOldBackups,
} from './backup-series.ts';
import { manifestName } from './manifest.ts';

const dayMs = 86_400_000;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-series-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function make(name: string, { isFinished = true } = {}): Promise<string> {
  await mkdir(join(folder, name, 'facts'), { recursive: true });
  await writeFile(join(folder, name, 'facts', 'part'), 'facts');
  if (isFinished) await writeFile(join(folder, name, manifestName), '{}');
  return name;
}

const nameOf = (day: number, series = 'ours') => nameBackup(series, Date.UTC(2026, 10, day, 3));
const removeOld = (newest: string, keeps: number) =>
  removeOldBackups({ place: folderPlace(folder), series: 'ours' }, newest, keeps);

test('a backup is named by its time, in the order of time', () => {
  expect(nameOf(28)).toBe('scheduled-ours-2026-11-28T03-00-00.000Z');
  const names = [1, 2, 31, 400].map((day) => nameBackup('ours', day * dayMs));
  expect(names.toSorted()).toEqual(names);
});

test('a data folder keeps the name of its series, and another one has another', async () => {
  const [one, other] = [await make('one'), await make('other')].map((name) => join(folder, name));
  const series = await readSeries(one ?? '');
  expect(series).toMatch(/^[0-9a-f]{8}$/);
  expect(await readSeries(one ?? '')).toBe(series);
  expect(await readSeries(other ?? '')).not.toBe(series);
});

test('the newest are kept; all else of the series goes, and nothing of anybody else', async () => {
  for (const day of [1, 2, 3, 4]) await make(nameOf(day));
  await make(nameOf(5), { isFinished: false });
  const others = [
    await make('by-hand'),
    await make(nameOf(1, 'theirs')),
    await make('scheduled-x'),
  ];
  expect(await removeOld(await make(nameOf(6)), 3)).toBe(3);
  const kept = [nameOf(3), nameOf(4), nameOf(6)];
  expect((await readdir(folder)).sort()).toEqual([...others, ...kept].sort());
  expect(await removeOld(nameOf(6), 3)).toBe(0);
  expect(await removeOld(nameOf(6), 1)).toBe(2);
});

test('while the new one is not finished, none goes', async () => {
  const names = [await make(nameOf(1)), await make(nameOf(2), { isFinished: false })];
  await expect(removeOld(nameOf(2), 1)).rejects.toThrow('once a newer one is finished');
  expect((await readdir(folder)).sort()).toEqual(names);
});

test('one that will be removed is no base of another', () => {
  const place = folderPlace(folder);
  expect(() => refuseScheduledAsBase(place.inside(nameOf(1, 'theirs')))).toThrow(
    'is removed when newer scheduled backups are there: name a backup made by hand',
  );
  for (const name of ['by-hand', 'unscheduled-x', 'scheduled-x/monday']) {
    refuseScheduledAsBase(place.inside(name));
  }
});
