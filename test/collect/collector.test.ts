/** What becomes of beacons: facts, refusals, and their place in both ledgers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sender } from '../../src/collect/draft.ts';
import type { SpoolLimits } from '../../src/collect/spool/spool.ts';
import { identifyView } from '../../src/collect/steps/view-identity.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type Collecting, startCollecting } from '../support/collecting.ts';

const player: Sender = { userAgent: '(SM-G991N; Android 14) App/1.2' };
const bot: Sender = { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' };

let at: string;
let collecting: Collecting;
let numbers: { accountId: number; packageId: number; videoId: number };
let videoKey: string;
let accessKey: string;
let server: Sender;
beforeEach(() => start());
afterEach(() => collecting.stop());

/** With one video in one package of one account. */
async function start(limits: Partial<SpoolLimits> = {}): Promise<void> {
  collecting = await startCollecting(limits);
  const { catalog, clock } = collecting;
  at = new Date(clock.now()).toISOString();
  const { accountId, folderId, packageId } = await addLibrary(catalog);
  const video = accepted(await catalog.videos.create(accountId, { folderId, title: 'T' }));
  accessKey = video.accessKey;
  const name = { accountId, packageId, accessKey };
  ({ videoKey } = accepted(await catalog.publications.publish(name)));
  numbers = { accountId, packageId, videoId: video.videoId };
  server = { accountId };
}

const beacon = (fields: object = {}) => ({
  ...{ view: 'v', stretch: 0, at, playMs: 1_000, videoKey },
  ...fields,
});
const codes = async (sender: Sender, ...beacons: readonly unknown[]) => {
  const { accepted, rejected } = await collecting.collector.collect(beacons, sender);
  expect(accepted + rejected.length).toBe(beacons.length);
  return rejected.map(({ index, code }) => [index, code]);
};
async function counted(): Promise<Record<string, number>> {
  const { metrics, accountLedger, ledgerRows } = collecting;
  await accountLedger.write();
  const named = [...(await metrics.getMetricsAsJSON())]
    .filter(({ name }) => name.startsWith('playmeter_beacons'))
    .flatMap(({ name, values }) =>
      values
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => [
          [name.split('_')[2], ...Object.values(labels)].join(' '),
          value,
        ]),
    );
  // Of the rows of one run the last holds.
  const rows = ledgerRows.written
    .flat()
    .map((row) => [`${row.accountId} ${row.outcome}`, row.beacons]);
  return Object.fromEntries([...named, ...rows]);
}

test('a good beacon becomes a fact, and is durable before the answer', async () => {
  collecting.facts.hold();
  let answered = false;
  const answer = collecting.collector.collect([beacon()], player).finally(() => {
    answered = true;
  });
  await expect.poll(() => collecting.facts.attempts()).toBe(1);
  expect(answered).toBe(false);
  expect(await counted()).toEqual({ received: 1 });
  collecting.facts.release();
  expect(await answer).toEqual({ accepted: 1, rejected: [] });
  expect(collecting.facts.written.flat()).toMatchObject([
    {
      ...numbers,
      ...{ os: 'Android', osVersion: '14', view: identifyView('beacon', 'v'), stretch: 0 },
      suspect: '',
      ...{ slotStart: collecting.clock.now(), plays: 1, playMs: 1_000 },
      details: expect.objectContaining({ startMs: collecting.clock.now(), laterMs: 0 }),
    },
  ]);
  const account = `${numbers.accountId} COUNTED`;
  expect(await counted()).toEqual({ received: 1, counted: 1, [account]: 1 });
});

test('each beacon of a batch is judged by itself', async () => {
  const outcome = await codes(
    player,
    beacon(),
    {},
    beacon({ videoKey: 'none' }),
    beacon({ stretch: 1 }),
    beacon({ accessKey }),
    beacon({ at: '2026-11-01T00:00:00Z' }),
    beacon({ playMs: 300_001 }),
    beacon({ stretch: 2, playMs: 300_000 }),
  );
  expect(outcome).toEqual([
    [1, 'INVALID_BEACON'],
    [2, 'UNKNOWN_VIDEO'],
    [4, 'KEY_REQUIRED'],
    [5, 'TOO_OLD'],
    [6, 'IN_FUTURE'],
  ]);
  expect(collecting.facts.written.flat().map(({ stretch }) => stretch)).toEqual([0, 1, 2]);
  const { accountId } = numbers;
  expect(await counted()).toEqual({
    received: 8,
    counted: 3,
    'refused INVALID_BEACON': 1,
    'refused UNKNOWN_VIDEO': 1,
    'refused KEY_REQUIRED': 1,
    'refused TOO_OLD': 1,
    'refused IN_FUTURE': 1,
    // Without its video a beacon belongs to nobody, and what needs a key is refused before.
    [`${accountId} COUNTED`]: 3,
    [`${accountId} TOO_OLD`]: 1,
    [`${accountId} IN_FUTURE`]: 1,
  });
});

test('bots are set apart', async () => {
  expect(await codes(bot, beacon())).toEqual([[0, 'BOT']]);
  expect(await codes(server, beacon({ userAgent: bot.userAgent }))).toEqual([[0, 'BOT']]);
  expect(await counted()).toMatchObject({ 'refused BOT': 2, [`${numbers.accountId} BOT`]: 2 });
});

test('with a key, beacons may name the video by number and say when and from what', async () => {
  const { packageId } = numbers;
  const keyed = beacon({ videoKey: undefined, accessKey, packageId });
  const { videoKey: _, ...named } = { ...keyed, at: '2020-01-01T00:00:00Z', userAgent: 'TV/1' };
  expect(await codes(server, named, { ...named, stretch: 1 })).toEqual([]);
  expect(collecting.facts.written.flat()).toMatchObject([
    { ...numbers, stretch: 0, slotStart: Date.UTC(2020, 0, 1) },
    { ...numbers, stretch: 1 },
  ]);
  expect(
    await codes(server, { ...named, packageId: packageId + 1 }, { ...named, accessKey: 'x' }),
  ).toEqual([
    [0, 'UNKNOWN_VIDEO'],
    [1, 'UNKNOWN_VIDEO'],
  ]);
  expect(await codes(server, beacon({ view: 'another' }))).toEqual([]);
});

test('a video of another account does not exist, whoever knows its key', async () => {
  const { accountId } = await addLibrary(collecting.catalog);
  const { packageId } = numbers;
  const { videoKey: _, ...named } = beacon({ accessKey, packageId });
  expect(await codes({ accountId }, beacon(), named)).toEqual([
    [0, 'UNKNOWN_VIDEO'],
    [1, 'UNKNOWN_VIDEO'],
  ]);
  // To whom a refused beacon with a key belongs is known by the key.
  expect(await counted()).toMatchObject({ [`${accountId} UNKNOWN_VIDEO`]: 2 });
});

test('where nothing can be kept, nothing is promised, and refusals count all the same', async () => {
  await collecting.stop();
  await start({ waitMs: 100 });
  collecting.facts.failNext(1_000_000);
  const sent = collecting.collector.collect([beacon(), beacon({ stretch: 1 }), {}], player);
  await expect(sent).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  collecting.facts.failNext(0);
  expect(await counted()).toEqual({
    received: 3,
    unavailable: 2,
    [`${numbers.accountId} UNAVAILABLE`]: 2,
    'refused INVALID_BEACON': 1,
  });
});

test('steps are measured under their names', async () => {
  await codes(player, beacon(), {}, beacon({ videoKey: 'none' }));
  await codes(bot, beacon());
  const refusals = await collecting.metrics.getSingleMetric('playmeter_step_refusals_total')?.get();
  expect(refusals?.values.map(({ labels, value }) => [labels.step, labels.reason, value])).toEqual([
    ['check form', 'INVALID_BEACON', 1],
    ['identify video', 'UNKNOWN_VIDEO', 1],
    ['sieve bots', 'BOT', 1],
  ]);
});
