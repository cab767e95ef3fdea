/**
 * `playmeter verify` beside a service that goes on collecting, on sums falsified by hand; what
 * `doctor` and `backup` say of the same stores.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMaintenance } from '../../src/app/offline/offline-stores.ts';
import type { Finding } from '../../src/maintenance/doctor/doctor.ts';
import type { MaintenanceContext } from '../../src/maintenance/maintenance-context.ts';
import { describeVerification } from '../../src/maintenance/verify/verification-text.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import { describeKinds } from '../support/each-kind.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { type StartedService, serviceKinds } from '../support/service-kinds.ts';

/** A turn in which nothing is to be done takes processor time as well. */
const pace = { everyMs: 500, daysEveryMs: 500, lookBackMs: 700 };
const day = Date.UTC(2026, 9, 5);
const dayMs = 86_400_000;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const today = new Date().setUTCHours(0, 0, 0, 0);

let started: StartedService;
let service: TestService;
let account: TestAccount;
let videoKeys: string[];
let upkeep: MaintenanceContext;
let traffic = 0;

function beacon(view: number, atMs: number) {
  const at = new Date(atMs).toISOString();
  const os = ['iOS', 'Android'][view % 2];
  return {
    view: `v${view}`,
    stretch: 0,
    at,
    playMs: 1_000 + view,
    os,
    videoKey: videoKeys[view % 2],
  };
}

async function sendWithKey(beacons: readonly object[]): Promise<void> {
  const response = await service.send(beacons, { 'x-api-key': account.key });
  expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
}

/** Beacons without a pause, now and on the day that is falsified, until the test ends. */
function startTraffic(): Promise<void> {
  traffic = 1;
  const run = async (): Promise<void> => {
    for (let view = 1_000; traffic === 1; view += 2) {
      await sendWithKey([beacon(view, today), beacon(view + 1, day)]);
    }
  };
  return run();
}

/**
 * Nobody has anything left to sum. A node, or `verify` itself, that settled a day only now would
 * make its sums of the falsified ones, and its peaks anew.
 */
async function allSettled(): Promise<void> {
  await service.facts.rollUp();
  await upkeep.facts.rollUp();
  const { accountId } = account;
  await expect.poll(() => service.facts.unsettledDays(accountId)).toEqual([]);
  await expect.poll(() => service.facts.unsettledPeaks(accountId)).toEqual([]);
}

async function run(repairs: boolean, { accountId } = account) {
  const verification = await verify(upkeep, {
    accountId,
    repairs,
    signal: new AbortController().signal,
    noteProgress: () => {},
  });
  const { json, lines, isIncomplete } = describeVerification(verification);
  return { json: json as { differences: Record<string, unknown>[] }, lines, isIncomplete };
}

/** By hand: where the rows are, if the statement changes stored ones. */
async function change(sql: string, { accountId } = account): Promise<void> {
  const query = { name: 'test', sql, parameters: { accountId } };
  const { store } = started;
  if (sql.startsWith('ALTER')) await store.onEachServer((server) => server.command(query));
  else await store.command(query);
}

const ours = 'accountId = {accountId:UInt32}';
const at = (time: string) => `slot = toDateTime('2026-10-05 ${time}:00', 'UTC')`;

/** What the account's questions answer. */
async function answers(): Promise<unknown[]> {
  const range = 'sdate=2026-10-01&edate=2026-10-31';
  const kinds = ['info/date', 'info/date/hour', 'os'];
  return Promise.all(
    kinds.map(async (kind) => {
      const of = kind === 'info/date/hour' ? 'date=2026-10-05' : range;
      const path = `/report/statistics/video/v1/${kind}?${of}`;
      return (await service.ask(path, account.key)).list;
    }),
  );
}

describeKinds(serviceKinds, 'verify on $name', (kind) => {
  beforeAll(async () => {
    started = await kind.start({ pace });
    ({ service } = started);
    account = await service.addAccount();
    const packageId = await account.addPackage();
    videoKeys = await Promise.all(
      [0, 1].map(async () => account.publish(packageId, await account.addVideo())),
    );
    upkeep = await openMaintenance(started.around);
    const old = Array.from({ length: 100 }, (_, number) => beacon(number, day + number * 600_000));
    await sendWithKey(old);
    await service.facts.rollUp();
  });
  afterAll(async () => {
    await upkeep?.close();
    await started?.stop();
  });
  afterEach(() => {
    traffic = 0;
  });

  test('beside live traffic nothing is found where nothing is wrong', async () => {
    const sending = startTraffic();
    expect(await run(false)).toMatchObject({ isIncomplete: false, json: { differences: [] } });
    traffic = 0;
    await sending;
  });

  test('sums that are gone, too large, or of what nobody played are found and repaired', {
    tags: 'long',
  }, async () => {
    await allSettled();
    const before = await answers();
    await change(`ALTER TABLE playback_sum DELETE WHERE ${ours} AND ${at('10:00')}
      SETTINGS mutations_sync = 1`);
    await change(`INSERT INTO playback_sum SELECT * REPLACE (plays + 7 AS plays, playMs + 1 AS playMs)
      FROM playback_sum FINAL WHERE ${ours} AND ${at('09:00')}`);
    await change(`INSERT INTO playback_sum SELECT * REPLACE (plays + 9 AS plays)
      FROM playback_sum FINAL WHERE ${ours} AND ${at('00:00')} AND grouping = 'account-os-day'`);
    await change(`INSERT INTO playback_sum SELECT * REPLACE (
        'none' AS os, plays + bitShiftLeft(toUInt128(5), 64) AS plays)
      FROM playback_sum FINAL WHERE ${ours} AND ${at('08:00')} AND os != ''`);
    expect(await answers()).not.toEqual(before);

    const found = await run(false);
    const ofOurs = { accountId: account.accountId, day: '2026-10-05' };
    expect(found.isIncomplete).toBe(true);
    const { differences } = found.json;
    expect(differences).toHaveLength(25);
    expect(new Set(differences.map(({ grouping }) => grouping))).toContain('account-os-day');
    expect(differences).toContainEqual({
      ...{ ...ofOurs, grouping: 'account', at: '2026-10-05T10:00:00.000Z', isRepaired: false },
      ...{ about: expect.any(String), stored: { plays: 0, playMs: 0 } },
      right: { plays: expect.any(Number), playMs: expect.any(Number) },
    });
    expect(found.lines[0]).toContain(
      `Account ${ofOurs.accountId}, 2026-10-05: 8 sums too small, 17 too large`,
    );

    const sending = startTraffic();
    expect(await run(true)).toMatchObject({ isIncomplete: false });
    traffic = 0;
    await sending;
    await service.facts.rollUp();
    expect(await run(false)).toMatchObject({ isIncomplete: false, json: { differences: [] } });
    // What came meanwhile counts too: one play of each view.
    const [stored] = await started.store.select<{ views: number }>({
      name: 'test',
      sql: `SELECT uniqExact(view) AS views FROM stretch
        WHERE ${ours} AND toDate(slot) = '2026-10-05'`,
      parameters: { accountId: account.accountId },
    });
    const [dates] = (await answers()) as [{ videoCount: string }[]];
    const plays = dates.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
    expect(plays).toBe(stored?.views);
    expect(plays).toBeGreaterThan(100);
  });

  test('kept peaks that are not those of their facts are found and repaired', {
    tags: 'long',
  }, async () => {
    await allSettled();
    const curve = async () => {
      const of = 'sdate=2026-10-05&edate=2026-10-05&interval=hour';
      return (await service.ask(`/report/statistics/video/v2/concurrency?${of}`, account.key)).list;
    };
    const before = await curve();
    const ofAccount = `${ours} AND grouping = 'account'`;
    const replace = (time: string, by: string) =>
      change(`INSERT INTO peak SELECT * REPLACE (peak + ${by} AS peak)
        FROM peak FINAL WHERE ${ofAccount} AND ${at(time)}`);
    await replace('10:00', 'bitShiftLeft(toUInt256(3), 32)');
    await replace('09:00', 'bitShiftLeft(toUInt256(1), 64) + bitShiftLeft(toUInt256(7), 32)');
    await change(`ALTER TABLE peak UPDATE peak = peak - bitShiftLeft(toUInt256(1), 64)
      WHERE ${ofAccount} AND ${at('08:00')} SETTINGS mutations_sync = 1`);
    expect(await curve()).not.toEqual(before);

    const ofOurs = { accountId: account.accountId, day: '2026-10-05' };
    const differences = (isRepaired: boolean) =>
      ['08', '09', '10'].map((hour) => ({
        ...{
          ...ofOurs,
          grouping: 'peak of account',
          isRepaired,
          at: `2026-10-05T${hour}:00:00.000Z`,
        },
        ...{ about: '(0,0)', stored: expect.anything(), right: expect.anything() },
      }));
    expect((await run(false)).json.differences).toEqual(differences(false));
    const repaired = await run(true);
    expect(repaired.json.differences).toEqual(differences(true));
    expect(repaired.isIncomplete).toBe(false);
    expect(repaired.lines[0]).toContain('1 sums too small, 2 too large; repaired');
    expect(await curve()).toEqual(before);
  });

  test('marks of views that are gone are found and made anew', { tags: 'long' }, async () => {
    const own = await service.addAccount('UTC');
    const { accountId } = own;
    const videoKey = await own.publish(await own.addPackage(), await own.addVideo());
    const report = async (view: string, stretch: number, atMs: number, userAgent: string) => {
      const at = new Date(atMs).toISOString();
      const about = { videoKey, viewer: view, userAgent };
      const beacons = [{ view, stretch, at, playMs: 1_000, ...about }];
      const response = await service.send(beacons, { 'x-api-key': own.key });
      expect(await response.json()).toEqual({ accepted: 1, rejected: [] });
    };
    // One goes on, on the next day; the others are regular.
    await report('on', 0, day + 23 * 3_600_000, firefox);
    await report('on', 1, day + dayMs, firefox);
    await report('regular', 0, day, firefox);
    await report('regular too', 0, day + dayMs, firefox);
    await report('later', 0, day + 2 * dayMs, firefox);
    const range = { accountId, fromMs: day, untilMs: day + 3 * dayMs };
    await expect
      .poll(async () => {
        await service.facts.rollUp();
        await service.facts.checkViews();
        return service.facts.checkedDays(range);
      })
      .toEqual([day, day + dayMs, day + 2 * dayMs]);
    const byBrowser = async (sdate = '2026-10-05') => {
      const asked = { sdate, edate: '2026-10-06', dimensions: 'browser' };
      const given = { ...asked, measures: 'views,viewers' };
      const query = readQuery(given, { accountId, timeZone: 'UTC', labels: new Map() });
      const { facts, catalog } = service;
      const sources = { facts, catalog, leastPlaysOfRegular: 0 };
      const { rows, totals } = await answerQuery(query, day + 9 * dayMs, sources);
      return { rows, totals };
    };
    const right = {
      rows: [{ browser: 'Firefox', views: 3, viewers: 3 }],
      totals: { views: 3, viewers: 3 },
    };
    expect(await byBrowser()).toEqual(right);
    expect((await run(false, own)).json.differences).toEqual([]);

    // Of two rows of one counting the larger counts.
    await change(
      `INSERT INTO audience_day SELECT * REPLACE (views + 1 AS views) FROM audience_day
        WHERE ${ours} AND grouping = 'browser' AND value = 'Firefox' AND toDate(slot) = '2026-10-05'`,
      own,
    );
    await change(
      `ALTER TABLE irregular_fact DELETE WHERE ${ours} AND slot = '2026-10-06 00:00:00'
        SETTINGS mutations_sync = 1`,
      own,
    );
    await change(
      `ALTER TABLE audience_seen DELETE WHERE ${ours} AND slot = '2026-10-07 00:00:00'
        SETTINGS mutations_sync = 1`,
      own,
    );
    expect(await byBrowser()).not.toEqual(right);
    expect((await run(false, own)).json.differences).toMatchObject([
      {
        ...{ accountId, day: '2026-10-05', grouping: 'counts of browser' },
        ...{ stored: { views: 2 }, right: { views: 1 } },
      },
      {
        ...{ accountId, day: '2026-10-06', grouping: 'counts of facts beside' },
        ...{ stored: { facts: 0 }, right: { facts: 1 } },
      },
      {
        ...{ accountId, day: '2026-10-07', grouping: 'counts of what views saw' },
        ...{ stored: { rows: 0 }, right: { rows: 1 } },
      },
    ]);
    expect((await run(true, own)).isIncomplete).toBe(false);
    expect(await byBrowser()).toEqual(right);
    await service.facts.checkViews();
    expect(await byBrowser()).toEqual(right);
    expect((await run(false, own)).json.differences).toEqual([]);

    // Without its mark, the view that goes on is counted where its play is.
    const ofNextDay = await byBrowser('2026-10-06');
    await change(
      `ALTER TABLE irregular_view DELETE WHERE ${ours} SETTINGS mutations_sync = 1`,
      own,
    );
    expect(await byBrowser('2026-10-06')).not.toEqual(ofNextDay);
    const wrong = (date: string, irregular: number) => ({
      ...{ accountId, day: date, grouping: 'marks of views', at: `${date}T00:00:00.000Z` },
      ...{ stored: { irregular: 0 }, right: { irregular } },
    });
    const days = [wrong('2026-10-05', 1), wrong('2026-10-06', 1)];
    const differences = (isRepaired: boolean) => days.map((one) => ({ ...one, isRepaired }));
    expect(await run(false, own)).toMatchObject({
      isIncomplete: true,
      json: { differences: differences(false) },
    });
    expect(await run(true, own)).toMatchObject({
      isIncomplete: false,
      json: { differences: differences(true) },
    });
    expect(await byBrowser()).toEqual(right);
    expect((await run(false, own)).json.differences).toEqual([]);
  });

  test('playback of what the catalog does not know is reported', async () => {
    await change(`INSERT INTO stretch (accountId, slot, packageId, videoId, view, plays, playMs)
      SELECT {accountId:UInt32}, toDateTime('2026-10-06 00:00:00', 'UTC'), 98, 99,
        generateUUIDv4(), 1, 1000`);
    const { json, lines, isIncomplete } = await run(true);
    expect(lines[0]).toContain(', 0 too large; repaired');
    const { accountId } = account;
    expect({ json, isIncomplete }).toMatchObject({
      isIncomplete: true,
      json: { unknownNames: [{ accountId, packageId: 98, videoId: 99 }] },
    });
  });

  test('doctor finds the stores well', async () => {
    const { code, printed } = await started.run('doctor', '--json');
    const { findings } = JSON.parse(printed[0] ?? '') as { findings: Finding[] };
    expect({ code, errors: findings.filter(({ level }) => level === 'error') }).toEqual({
      ...{ code: 0, errors: [] },
    });
    const whats = findings.map(({ what }) => what);
    expect(whats).toContainEqual(expect.stringMatching(/^The catalog answers in \d+ ms/));
    expect(whats).toContainEqual(expect.stringMatching(/^The statistics take .*, in ClickHouse 2/));
    const clocks = whats.filter((what) => /^The clock of .* differs by -?\d+ ms$/.test(what));
    expect(clocks).toHaveLength(service.config.DATABASE_URL ? 2 : 1);
  });

  test('backup refuses, and says what backs up these stores', async () => {
    const named = service.config.DATABASE_URL ? / BACKUP and .* pg_dump and/ : / BACKUP and/;
    const { code, complaints } = await started.run('backup', join(tmpdir(), randomUUID()));
    expect({ code, complaints }).toEqual({ code: 1, complaints: [expect.stringMatching(named)] });
  });
});
