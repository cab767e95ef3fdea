/** Who writes an export after its lease was lost replaces nothing that the next one has written. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderPlace } from '../storage/folder-storage.ts';
import type { Confirm, Place } from '../storage/storage-target.ts';
import { exportManifestName, writeExport } from './export-writer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-export-writer-'));
});
afterAll(() => rm(folder, { recursive: true }));

const [first, second] = ['2026-11-01', '2026-11-02'];
const { signal } = new AbortController();

/** Both days, each with its text; with an empty one, the second has no facts. */
function writeDays(place: Place, text: string, secondText: string, confirm?: Confirm) {
  const fileOf = (day: string, content: string) => ({
    day,
    open: async () => ({
      rows: content.length,
      bytes: Readable.from([Buffer.from(content)], { objectMode: false }),
    }),
  });
  const files = [fileOf(first, text), fileOf(second, secondText)];
  const about = { what: 'facts' };
  const made = { about, fileName: 'facts.csv', firstDay: first, lastDay: second, files };
  return writeExport(place, made, { signal, confirm, noteProgress: () => {} });
}

async function filesIn({ location }: Place): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(location, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path] = await readFile(path, 'utf8');
  }
  return found;
}

/** Whether one that loses its lease at this step was stopped by that. */
async function loseAt(step: number): Promise<boolean> {
  const place = folderPlace(join(folder, String(step)));
  await writeDays(place, 'before', 'before');
  let steps = 0;
  let ofNext: unknown;
  const writing = writeDays(place, 'late', '', async () => {
    steps += 1;
    if (steps !== step) return;
    await writeDays(place, 'next', 'next');
    ofNext = await filesIn(place);
    throw new Error('lost');
  });
  const isStopped = await writing.then(
    () => false,
    (error) => error.message === 'lost',
  );
  const files = await filesIn(place);
  if (isStopped) expect(files).toEqual(ofNext);
  expect(files).toHaveProperty([join(place.location, exportManifestName)]);
  return isStopped;
}

test('at whichever step the lease is lost, what the next has written stays as it is', async () => {
  let steps = 1;
  while (await loseAt(steps)) steps += 1;
  // Sets the manifest aside, in two; a day; one that has no facts any more; the manifest, in two.
  expect(steps - 1).toBe(6);
});
