/** The example of docs/senders.md, as it is printed, against the real service. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../test/support/service.ts';
import { Playmeter } from './src/index.ts';

const root = join(import.meta.dirname, '..');

/** The film's clock, so that a busy machine takes nothing from it. */
const ownTime = `
const startedMs = Date.now();
let passedMs = 0;
performance.now = () => passedMs;
Date.now = () => startedMs + passedMs;
const setTimeout = async (ms) => {
  passedMs += ms;
};`;

test('a player made up in Node is counted: one play, and what its film advanced', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const page = await readFile(join(root, 'docs/senders.md'), 'utf8');
  const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-sender-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sender = pathToFileURL(join(root, 'client/src/sender/index.ts')).href;
  const own = example
    .replace('@playmeter/client/sender', sender)
    .replace('https://media.example', service.url)
    .replace('VIDEO_KEY', videoKey)
    .replace(/^import .* from 'node:timers\/promises';$/m, ownTime);
  await writeFile(join(folder, 'example.mjs'), own);
  const ran = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder });
  expect(ran).toEqual({ stdout: '', stderr: '' });
  expect(JSON.parse(await readFile(join(folder, 'playmeter.json'), 'utf8')).beacons).toEqual([]);

  await service.facts.rollUp();
  const client = new Playmeter({ url: service.url, key: account.key });
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await client.statistics.query({
    ...{ sdate: day(-1), edate: day(1), dimensions: ['os', 'player'] },
    measures: ['plays', 'playMs', 'mediaMs'],
  });
  expect(rows).toMatchObject([{ os: 'Linux', player: 'lobby/1.0', plays: 1 }]);
  // Each of the two stretches is in whole milliseconds.
  for (const measure of ['playMs', 'mediaMs'] as const) {
    expect([2_998, 2_999, 3_000]).toContain(rows[0]?.[measure]);
  }
});
