/** The demo: a year of invented plays that are collected like any, and gone when it is removed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoVideos } from '../../src/ingest/demo/demo-library.ts';
import { createDraw } from '../../src/ingest/demo/draw.ts';
import { makeUpPlays } from '../../src/ingest/demo/make-up-plays.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';

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
  const ask = async () => {
    const range = ['--from', '2020-01-01', '--to', '2029-12-31'];
    const measures = ['--measures', 'plays', '--json'];
    const asked = await commandLine.run('query', '--account', accountId, ...range, ...measures);
    return JSON.parse(asked.stdout).data.totals.plays;
  };
  expect(await ask()).toBe(plays);
  const again = await commandLine.run('demo', '--plays', '10');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--remove')]);

  const removed = await commandLine.run('demo', '--remove', '--json');
  expect(removed.code, removed.stderr).toBe(0);
  expect(JSON.parse(removed.stdout)).toMatchObject({ accountId });
  expect(await ask()).toBe(0);
  expect((await commandLine.run('demo', '--remove')).code).toBe(1);
});

test('the same seed makes the same plays', () => {
  const videos = demoVideos.map((video, index) => ({
    ...{ ...video, accessKey: `key-${index}`, packageIds: [1, 2] },
  }));
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
