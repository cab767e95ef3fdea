/** The demo: a year of invented plays that are collected like any, and gone when it is removed. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoVideos } from '../../demo/data/demo-library.ts';
import { createDraw } from '../../demo/data/draw.ts';
import { makeUpLooped, makeUpRefused } from '../../demo/data/make-up-oddities.ts';
import { makeUpPlays } from '../../demo/data/make-up-plays.ts';
import { readConfig } from '../../src/config/config.ts';
import { readMediaFile } from '../../src/import/media-file.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { runVerb } from '../support/service-kinds.ts';

let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
});
afterAll(() => commandLine.remove());

test('is made, counted as it says, and removed', async () => {
  const made = await commandLine.run('demo', '--plays', '1500', '--json');
  expect(made.code, made.stderr).toBe(0);
  const { accountId, plays } = JSON.parse(made.stdout);
  expect(plays).toBeGreaterThan(1_400);
  expect(made.stderr).toMatch(/#sign-in=[\w-]{43}/);
  const said = ['Making an account', 'Inventing 1,?500 plays', '50 %', '100 %', 'Counting them'];
  expect(made.stderr).toMatch(new RegExp(said.join('[^]*')));
  const ask = async () => {
    const range = ['--from', '2020-01-01', '--to', '2029-12-31'];
    const measures = ['--measures', 'plays', '--json'];
    const asked = await commandLine.run('query', '--account', accountId, ...range, ...measures);
    return JSON.parse(asked.stdout).data.totals.plays;
  };
  expect(await ask()).toBe(plays);
  const suspects = await commandLine.run('suspects', 'list', '--account', accountId, '--json');
  expect(JSON.parse(suspects.stdout).suspectList).toContainEqual(
    expect.objectContaining({ reason: 'LENGTH', verdict: null }),
  );
  await expectFiles(accountId);
  const again = await commandLine.run('demo', '--plays', '10');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--remove')]);
  const [, words = ''] = /playmeter (key create .+?);/.exec(again.stderr) ?? [];
  const key = await commandLine.run(...words.split(' '));
  expect([key.code, key.stdout]).toEqual([0, expect.stringMatching(/^pm_/)]);

  // In this process, where what is on its way to the store has not long to settle.
  const around = {
    config: readConfig({ DATA_DIR: commandLine.folder }),
    clock: systemClock,
    logger: pino({ level: 'error' }, pino.destination(2)),
    pace: { lookBackMs: 700 },
  };
  const removed = await runVerb(around, ['demo', '--remove', '--json']);
  expect(removed).toMatchObject({ code: 0, complaints: [] });
  expect(JSON.parse(removed.printed[0] ?? '')).toMatchObject({ accountId });
  expect(await ask()).toBe(0);
  const content = join(commandLine.folder, 'content');
  expect(await readdir(content)).toEqual(['thumbnails']);
  expect(await readdir(join(content, 'thumbnails'))).toEqual([]);
  expect((await commandLine.run('demo', '--remove')).code).toBe(1);
  const all = await commandLine.catalog.accounts.list();
  expect(all.find((one) => one.accountId === Number(accountId))?.closedAt).toBeDefined();
});

test('is shown to operators once there are people, whom no link with a key is for', async () => {
  const { catalog } = commandLine;
  const person = { email: 'kim@example.com', name: 'Kim', language: 'en' as const };
  const { personId } = accepted(await catalog.people.create({ ...person, isOperator: true }));
  const made = await commandLine.run('demo', '--plays', '10');
  expect([made.code, made.stdout]).toEqual([0, expect.not.stringContaining('#sign-in')]);
  const [, accountId] = /as an operator: \S+\/\?account=(\d+)\n/.exec(made.stdout) ?? [];
  expect(await catalog.memberships.list(Number(accountId))).toMatchObject([
    { personId, role: 'owner' },
  ]);
});

/** Each video has a film as long as it, and a picture; all of them are small. */
async function expectFiles(accountId: number): Promise<void> {
  const content = join(commandLine.folder, 'content');
  const { videos } = commandLine.catalog;
  const query = { searchItem: 'title', keyword: '', sortItem: 'id', sortDirection: 'asc' } as const;
  const all = await videos.listAll(accountId, { ...query, page: 1, pageSize: 100 });
  expect(all.videos).toHaveLength(demoVideos.length);
  for (const { videoId, durationMs, fileSizeBytes, thumbnailUrl } of all.videos) {
    const film = await readMediaFile(join(content, `${videoId}.mp4`));
    expect(film).toMatchObject({ ok: true, value: { durationMs, fileSizeBytes } });
    expect(fileSizeBytes).toBeLessThan(200_000);
    const picture = join(content, 'thumbnails', thumbnailUrl.split('/').at(-1) ?? '');
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
    expect((await stat(picture)).size).toBeLessThan(4_000);
  }
  const pictures = all.videos.map(({ thumbnailUrl }) => thumbnailUrl);
  expect(new Set(pictures).size).toBe(demoVideos.length);
}

const videos = demoVideos.map((video, index) => ({
  ...{ ...video, accessKey: `key-${index}`, packageIds: [1, 2] },
}));

test('the same seed makes the same plays', () => {
  const playing = { videos, plays: 500, nowMs: Date.parse('2026-11-20T12:00:00Z') };
  const make = (seed: number) => [...makeUpPlays({ ...playing, seed, timeZone: 'Asia/Seoul' })];
  expect(make(7)).toEqual(make(7));
  expect(make(8)).not.toEqual(make(7));
  const drawn = createDraw(7);
  expect(
    drawn.pick([
      ['never', 0],
      ['always', 1],
    ]),
  ).toBe('always');
});

test('on one day of the last week one host keeps Android in South Korea waiting', () => {
  // A Friday: the last Saturday is six days ago.
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  const days = [...makeUpPlays({ videos, plays: 20_000, seed: 1, nowMs, timeZone: 'UTC' })];
  const starts = days.flatMap(({ beacons }) => beacons as Record<string, unknown>[]);
  const means = Map.groupBy(
    starts.filter(({ wait, outcome }) => wait === 0 && outcome === 'played'),
    ({ at, mediaHost, userAgent, address }) => {
      const isBadDay = String(at).startsWith('2026-11-14');
      const isOfGroup =
        mediaHost === 'cdn2.example' &&
        /Android/.test(String(userAgent)) &&
        address === '168.126.63.1';
      return isBadDay && isOfGroup ? 'bad' : isBadDay || isOfGroup ? 'beside it' : 'usual';
    },
  );
  const meanOf = (name: 'bad' | 'beside it' | 'usual') => {
    const all = means.get(name) ?? [];
    return all.reduce((sum, { waitMs }) => sum + Number(waitMs), 0) / all.length;
  };
  expect(meanOf('bad')).toBeGreaterThan(3_500);
  expect(meanOf('beside it')).toBeLessThan(1_200);
  expect(meanOf('usual')).toBeLessThan(1_200);
});

test('of those that are refused there are a few of each reason, and at most a batch', () => {
  const around = { videos, plays: 100_000, seed: 1, nowMs: Date.parse('2026-11-20T12:00:00Z') };
  const refused = makeUpRefused(around);
  const isLater = ({ at }: { at?: unknown }) => Date.parse(String(at)) > around.nowMs;
  expect(refused.filter(({ userAgent }) => /bot|Yeti/.test(String(userAgent)))).not.toEqual([]);
  expect(refused.filter(isLater)).not.toEqual([]);
  expect(refused.filter(({ accessKey }) => accessKey === 'taken-down')).not.toEqual([]);
  expect(refused.filter(({ playMs }) => playMs === undefined)).not.toEqual([]);
  expect(makeUpRefused(around)).toEqual(refused);
  expect(makeUpRefused({ ...around, plays: 10_000_000 })).toHaveLength(900);
  expect(makeUpLooped(around).length).toBeGreaterThan(3);
});
