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
import { describeKinds } from '../support/each-kind.ts';
import { addFilm, type TestAccount, type TestService } from '../support/service.ts';
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

  // What each kind of difference is: src/store/verify/store-verification.test.ts.
  test('so are peaks, counts of days and marks of views', { tags: 'long' }, async () => {
    const own = await service.addAccount('UTC');
    const { accountId } = own;
    const { videoKey } = await addFilm(own);
    // One goes on, on the next day; the others are regular.
    const views = [
      ['on', 0, day + 23 * 3_600_000],
      ['on', 1, day + dayMs],
      ['regular', 0, day],
      ['regular too', 0, day + dayMs],
      ['later', 0, day + 2 * dayMs],
    ] as const;
    const beacons = views.map(([view, stretch, atMs]) => {
      const about = { videoKey, viewer: view, userAgent: firefox, playMs: 1_000 };
      return { view, stretch, at: new Date(atMs).toISOString(), ...about };
    });
    const response = await service.send(beacons, { 'x-api-key': own.key });
    expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
    const range = { accountId, fromMs: day, untilMs: day + 3 * dayMs };
    await expect
      .poll(async () => {
        await service.facts.rollUp();
        await service.facts.checkViews();
        return service.facts.checkedDays(range);
      })
      .toEqual([day, day + dayMs, day + 2 * dayMs]);
    await expect.poll(() => service.facts.unsettledPeaks(accountId)).toEqual([]);

    const at = (date: string) => `${ours} AND toDate(slot) = '${date}'`;
    const wrong = [
      {
        changes: [
          `INSERT INTO peak SELECT * REPLACE (peak + bitShiftLeft(toUInt256(3), 32) AS peak)
            FROM peak FINAL WHERE ${at('2026-10-07')} AND grouping = 'account'`,
          `INSERT INTO audience_day SELECT * REPLACE (views + 1 AS views) FROM audience_day
            WHERE ${at('2026-10-05')} AND grouping = 'browser' AND value = 'Firefox'`,
          `ALTER TABLE irregular_fact DELETE WHERE ${at('2026-10-06')} SETTINGS mutations_sync = 1`,
          `ALTER TABLE audience_seen DELETE WHERE ${at('2026-10-07')} SETTINGS mutations_sync = 1`,
        ],
        found: [
          ...['2026-10-05 counts of browser', '2026-10-06 counts of facts beside'],
          ...['2026-10-07 counts of what views saw', '2026-10-07 peak of account'],
        ],
      },
      {
        changes: [`ALTER TABLE irregular_view DELETE WHERE ${ours} SETTINGS mutations_sync = 1`],
        found: ['2026-10-05 marks of views', '2026-10-06 marks of views'],
      },
    ];
    for (const { changes, found } of wrong) {
      expect((await run(false, own)).json.differences).toEqual([]);
      for (const sql of changes) await change(sql, own);
      const { json, isIncomplete } = await run(false, own);
      const differences = json.differences.map((one) => `${one.day} ${one.grouping}`).sort();
      expect({ differences, isIncomplete }).toEqual({ differences: found, isIncomplete: true });
      expect((await run(true, own)).isIncomplete).toBe(false);
      await service.facts.checkViews();
    }
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
