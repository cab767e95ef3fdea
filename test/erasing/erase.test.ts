/** Erasing beside a service that collects and answers: views, viewers, videos, packages, accounts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import {
  openErasureService,
  openMaintenance,
  openQuestions,
} from '../../src/app/offline/offline-stores.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Parts } from '../../src/cli/verb.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { ErasureService } from '../../src/maintenance/erase/eraser.ts';
import type { ErasureRequest } from '../../src/maintenance/erase/erasure-request.ts';
import { eraseOldFacts, firstDayKept } from '../../src/maintenance/erase/fact-retention-job.ts';
import type { MaintenanceContext } from '../../src/maintenance/maintenance-context.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import type { QueryAnswer } from '../../src/wire/questions/audience-messages.ts';
import { describeKinds } from '../support/each-kind.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { type StartedService, serviceKinds } from '../support/service-kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A turn in which nothing is to be done takes processor time as well. */
const pace = { everyMs: 500, daysEveryMs: 500, lookBackMs: 700 };
const dayMs = 86_400_000;
const beganMs = Date.now();
const firstDay = Date.UTC(2026, 9, 5);
/** So that some of the sums are in another year, and more than one insert makes them. */
const days = [firstDay - 330 * dayMs, firstDay - 60 * dayMs, firstDay, firstDay + dayMs];

let started: StartedService;
let service: TestService;
let desk: ErasureService;
let upkeep: MaintenanceContext;
/** Beacons, by account. */
const sent = new Map<number, number>();

interface Site extends TestAccount {
  readonly packages: readonly number[];
  readonly videos: readonly string[];
  /** Views of viewers `mary` and `bob` in every package and of every video. */
  readonly beacons: readonly Beacon[];
}

interface Beacon {
  readonly view: string;
  readonly viewer: string;
  readonly at: string;
  readonly accessKey: string;
  readonly packageId: number;
}

/** Of one viewer, one view a day in each package of each video; a minute and some seconds long. */
async function newSite(viewers: readonly string[] = ['mary', 'bob']): Promise<Site> {
  const account = await service.addAccount();
  const packages = [await account.addPackage(), await account.addPackage()];
  const videos = [await account.addVideo(), await account.addVideo()];
  const beacons: (Beacon & object)[] = [];
  for (const packageId of packages) {
    for (const accessKey of videos) {
      await account.publish(packageId, accessKey);
      for (const viewer of viewers) {
        for (const day of days) {
          const view = `${viewer} ${packageId} ${accessKey} ${day}`;
          // Into a second slot.
          const at = new Date(day + 3_600_000 - 30_000).toISOString();
          beacons.push({
            ...{ view, viewer, at, accessKey, packageId },
            stretch: 0,
            playMs: 61_000,
          } as Beacon);
        }
      }
    }
  }
  const site = { ...account, packages, videos, beacons };
  await send(site, beacons);
  await service.facts.rollUp();
  return site;
}

async function send(site: Site, beacons: readonly object[]): Promise<void> {
  const response = await service.send(beacons, { 'x-api-key': site.key });
  expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
  sent.set(site.accountId, (sent.get(site.accountId) ?? 0) + beacons.length);
}

const erase = async ({ accountId }: Site, request: Omit<ErasureRequest, 'accountId'>) => {
  const { receipt } = await desk.eraser.record(desk.catalog, { accountId, ...request });
  return desk.eraser.carryOut(desk.catalog, receipt);
};

const range = 'sdate=2025-11-01&edate=2026-10-31';

/** Plays, as each kind of question counts them. */
async function playsOf({ key }: Site): Promise<Record<string, number>> {
  const v1 = async (kind: string) => {
    const { list } = await service.ask(`/report/statistics/video/v1/${kind}?${range}`, key);
    return list.reduce((sum, row) => sum + Number(row.videoCount), 0);
  };
  const v2 = async (measures: string, dimensions = '') => {
    const of = `${range}&measures=${measures}&dimensions=${dimensions}`;
    const data: unknown = await service.ask(`/report/statistics/video/v2/query?${of}`, key);
    const { totals } = data as { totals: Record<string, number> };
    return Number(totals[measures]);
  };
  return {
    dates: await v1('info/date'),
    systems: await v1('os'),
    sums: await v2('plays', 'video'),
    facts: await v2('views', 'country'),
  };
}

const evenly = (plays: number) => ({ dates: plays, systems: plays, sums: plays, facts: plays });

/** What `verify` finds, of all accounts if none is named. */
function found({ accountId }: { accountId?: number }, { repairs } = { repairs: false }) {
  const { signal } = new AbortController();
  return verify(upkeep, { accountId, repairs, noteProgress: () => {}, signal });
}

/** Fails with all that is wrong. */
async function expectSound(site: Site): Promise<void> {
  const { remaining, unknownNames, undoneErasures, damagedParts, journal } = await found(site);
  expect([...remaining, ...unknownNames, ...undoneErasures]).toEqual([]);
  expect([...damagedParts, ...journal.damaged]).toEqual([]);
}

/** Once the ledger has all that was sent: each node writes down its counts once a second. */
async function erasedBeacons({ key, accountId }: Site): Promise<number> {
  const { manage } = new Playmeter({ url: service.url, key });
  const [sdate, edate] = [0, dayMs].map((afterMs) =>
    new Date(beganMs + afterMs).toISOString().slice(0, 10),
  ) as [string, string];
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  let erased = 0;
  await waitUntil('the ledger of all nodes', async () => {
    const ledger = await manage.ledger({ sdate, edate });
    erased = sum(ledger.map((day) => day.erased));
    return sum(ledger.map(({ received }) => received)) === sent.get(accountId);
  });
  return erased;
}

/** Rows of tables that name the account. */
/** By each dimension, in the background, once nothing has come for a moment. */
async function countDays(site: Site): Promise<void> {
  await expect
    .poll(async () => {
      await service.facts.checkViews();
      return stored('audience_day', site);
    })
    .toBeGreaterThan(0);
}

async function stored(table: string, { accountId }: Pick<Site, 'accountId'>): Promise<number> {
  const [row] = await started.store.select<{ rows: number }>({
    name: 'test',
    sql: `SELECT count() AS rows FROM ${table} FINAL WHERE accountId = {accountId:UInt32}`,
    parameters: { accountId },
  });
  return row?.rows ?? 0;
}

describeKinds(serviceKinds, 'erasing on $name', (kind) => {
  beforeAll(async () => {
    const environment = { APP_SECRET: 'a secret of thirty-two characters' };
    started = await kind.start({ pace, environment });
    ({ service } = started);
    sent.clear();
    [desk, upkeep] = [
      await openErasureService(started.around),
      await openMaintenance(started.around),
    ];
  });
  afterAll(async () => {
    await desk?.close();
    await upkeep?.close();
    await started?.stop();
  });

  // First, as it verifies all that the others add.
  test('verify finds events of an erased view, also where the account has no facts', async () => {
    const { accountId } = await service.addAccount();
    const { receipt } = await desk.eraser.record(desk.catalog, { accountId, view: 'one' });
    await desk.eraser.carryOut(desk.catalog, receipt);
    const views = await desk.catalog.erasures.viewsOf(receipt);
    // As the verb does if no account is named.
    const all = {};
    // The service's own job may be at the same erasure for a moment longer.
    const addAndFind = async () => {
      await started.store.command({
        name: 'test',
        sql: `INSERT INTO event (accountId, view, moment, sequence, state, arrival, day)
          SELECT {accountId:UInt32}, arrayJoin({views:Array(UUID)}), 0, 0, 'resting', 0, today()`,
        parameters: { accountId, views },
      });
      return (await found(all)).undoneErasures;
    };
    await expect.poll(addAndFind).toMatchObject([{ accountId, receipt }]);
    expect(await found(all, { repairs: true })).toMatchObject({ undoneErasures: [] });
    expect(await found(all)).toMatchObject({ undoneErasures: [] });
    expect(await stored('event', { accountId })).toBe(0);
  });

  test('a viewer is erased beside traffic, and no answer has half of it', {
    tags: 'long',
  }, async () => {
    const site = await newSite();
    const all = site.beacons.length;
    expect(await playsOf(site)).toEqual(evenly(all));
    const isOfMary = ({ viewer }: Beacon) => viewer === 'mary';
    const others = site.beacons.filter((beacon) => !isOfMary(beacon));

    let isOver = false;
    const traffic = (async () => {
      // Ada's own page goes on sending, too.
      while (!isOver) await send(site, site.beacons);
    })();
    const seen: Record<string, number>[] = [];
    const reading = (async () => {
      while (!isOver) {
        try {
          seen.push(await playsOf(site));
        } catch (error) {
          // On a busy machine the erasure takes longer than a question waits for it.
          if (!/ 503 .*is being erased/.test(String(error))) throw error;
        }
      }
    })();
    await waitUntil('two readings', () => seen.length > 1);
    const { receipt, views, facts, state } = await erase(site, { viewer: 'mary' });
    expect({ views, facts, state }).toEqual({ views: all / 2, facts: all, state: 'done' });
    const read = seen.length;
    await waitUntil('four readings afterwards', () => seen.length > read + 3);
    isOver = true;
    await Promise.all([traffic, reading]);

    const counts = seen.flatMap((answers) => Object.values(answers));
    expect(new Set(counts)).toEqual(new Set([all, others.length]));
    // Each kind of question goes from one to the other once.
    for (const kind of Object.keys(evenly(0))) {
      const inOrder = seen.map((answers) => answers[kind]);
      expect(inOrder).toEqual(inOrder.toSorted((one = 0, other = 0) => other - one));
    }
    expect(await playsOf(site)).toEqual(evenly(others.length));
    // A replay, and the same views without their viewer.
    await send(site, site.beacons);
    await send(
      site,
      site.beacons.map(({ viewer: _, ...beacon }) => beacon),
    );
    await service.facts.rollUp();
    expect(await playsOf(site)).toEqual(evenly(others.length));
    expect(await stored('stretch', site)).toBe(others.length * 2);
    await expectSound(site);
    // The ledger says what became of it.
    const before = await erasedBeacons(site);
    await send(site, site.beacons);
    expect((await erasedBeacons(site)) - before).toBe(all / 2);
    const kept = await desk.catalog.erasures.find(receipt);
    expect(JSON.stringify(kept)).not.toContain('mary');
  });

  test('a question of the command line is answered as of before or after, while it is erased', async () => {
    const site = await newSite();
    const others = site.beacons.filter(({ viewer }) => viewer !== 'mary').length;
    let erasing: Promise<unknown> | undefined;
    /** All of the erasure comes between the first rows of the answer and the next. */
    const overtaken =
      <Asked, Row>(read: (query: Asked) => Promise<Row[]>) =>
      async (query: Asked) => {
        const rows = await read(query);
        erasing ??= erase(site, { viewer: 'mary' });
        await erasing;
        return rows;
      };
    const printed: string[] = [];
    const parts = {
      // Anew for each try, which closes it.
      openQuestions: async () => {
        const opened = await openQuestions(started.around);
        const { facts } = opened;
        const read = overtaken(facts.read) as typeof facts.read;
        const readMany = overtaken(facts.readMany) as typeof facts.readMany;
        return { ...opened, facts: { ...facts, read, readMany } };
      },
      print: (line) => void printed.push(line),
      complain: (line) => void printed.push(line),
    } satisfies Partial<Parts>;
    const ofAll = ['--from', '2025-11-01', '--to', '2026-10-31', '--measures', 'plays'];
    const words = [
      'query',
      '--account',
      String(site.accountId),
      ...ofAll,
      '--by',
      'video',
      '--json',
    ];
    let code = 0;
    // An erasure may take longer than a question waits, which then says so.
    await waitUntil('an answer', async () => {
      printed.length = 0;
      code = await runCommandLine(words, parts as unknown as Parts);
      return !printed.some((line) => line.endsWith('Playback of the account is being erased'));
    });
    expect({ code, printed }).toEqual({ code: 0, printed: [expect.any(String)] });
    const { list, totals } = JSON.parse(printed[0] ?? '').data as QueryAnswer['data'];
    const plays = list.reduce((sum, row) => sum + Number(row.plays), 0);
    expect({ plays, total: Number(totals.plays) }).toEqual({ plays: others, total: others });
  });

  test('a view, a video, a package and an account are erased, each for good', {
    tags: 'long',
  }, async () => {
    const site = await newSite(['mary']);
    const [first] = site.beacons;
    const { packages, videos } = site;
    const left = (beacons: readonly Beacon[]) => evenly(beacons.length);
    const counted = await desk.eraser.count(desk.catalog, { ...site, view: first?.view });
    expect(counted).toEqual({ views: 1, facts: 2 });
    expect(await playsOf(site)).toEqual(left(site.beacons));
    await countDays(site);

    expect(await erase(site, { view: first?.view })).toMatchObject({ views: 1, facts: 2 });
    expect(await stored('audience_day', site)).toBe(0);
    await countDays(site);
    const afterView = site.beacons.filter((beacon) => beacon !== first);
    expect(await playsOf(site)).toEqual(left(afterView));

    await erase(site, { accessKey: videos[1], packageId: packages[1] });
    const isOfBoth = ({ accessKey, packageId }: Beacon) =>
      accessKey === videos[1] && packageId === packages[1];
    const afterBoth = afterView.filter((beacon) => !isOfBoth(beacon));
    expect(await playsOf(site)).toEqual(left(afterBoth));

    await erase(site, { accessKey: videos[1] });
    const afterVideo = afterBoth.filter(({ accessKey }) => accessKey !== videos[1]);
    expect(await playsOf(site)).toEqual(left(afterVideo));

    const before = new Date(firstDay).toISOString().slice(0, 10);
    await erase(site, { packageId: packages[0], before });
    const isEarly = ({ packageId, at }: Beacon) => packageId === packages[0] && at < before;
    const afterPackage = afterVideo.filter((beacon) => !isEarly(beacon));
    expect(await playsOf(site)).toEqual(left(afterPackage));

    await send(site, site.beacons);
    await service.facts.rollUp();
    expect(await playsOf(site)).toEqual(left(afterPackage));
    await expectSound(site);

    await erase(site, {});
    await send(site, site.beacons);
    await service.facts.rollUp();
    expect(await playsOf(site)).toEqual(evenly(0));
    expect(await stored('stretch', site)).toBe(0);
    await expectSound(site);
  });

  test('with a view that goes on, on the next day, goes what is kept beside counts', {
    tags: 'long',
  }, async () => {
    const site = await newSite(['mary']);
    const [first] = site.beacons;
    const nextDay = new Date(Date.parse(first?.at ?? '') + dayMs).toISOString();
    await send(site, [{ ...first, stretch: 7, at: nextDay }]);
    await service.facts.rollUp();
    await countDays(site);
    const beside = ['irregular_view', 'irregular_fact', 'audience_seen'];
    for (const table of beside) expect(await stored(table, site)).toBeGreaterThan(0);
    await erase(site, { view: first?.view });
    for (const table of beside) expect(await stored(table, site)).toBe(0);
    await expectSound(site);
  });

  test('neither beacons nor exported facts bring it back when they are imported', {
    tags: 'long',
  }, async () => {
    const site = await newSite();
    // An import finds packages by their names.
    const { manage } = new Playmeter({ url: service.url, key: site.key });
    await manage.changePackage(site.packages[0] ?? 0, { packageName: 'Other site' });
    const owned = ['--account', String(site.accountId)];
    const folder = await mkdtemp(join(tmpdir(), 'playmeter-erased-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [facts, beacons] = [join(folder, 'facts.jsonl'), join(folder, 'beacons.jsonl')];
    await writeFile(beacons, site.beacons.map((beacon) => `${JSON.stringify(beacon)}\n`).join(''));
    expect(
      await started.run('export', ...owned, '--facts', '--format', 'jsonl', facts),
    ).toMatchObject({ code: 0 });
    const others = site.beacons.filter(({ viewer }) => viewer !== 'mary').length;
    await erase(site, { viewer: 'mary' });
    for (const [file, lines, erased] of [
      [beacons, site.beacons.length, site.beacons.length - others],
      [facts, site.beacons.length * 2, (site.beacons.length - others) * 2],
    ] as const) {
      const imported = await started.run('beacons', 'import', ...owned, file, '--json');
      expect(JSON.parse(imported.printed[0] ?? '')).toEqual({
        ...{ accepted: lines, rejected: 0, erased },
      });
      expect(await stored('stretch', site)).toBe(others * 2);
      expect(await playsOf(site)).toEqual(evenly(others));
    }
    await expectSound(site);
  });

  test('verify finds what came back past the service, and erases it again', {
    tags: 'long',
  }, async () => {
    const site = await newSite();
    const { receipt } = await erase(site, { viewer: 'mary' });
    const others = await playsOf(site);
    const [numbers] = await desk.catalog.publications.keysAfter(site.accountId, 0);
    const erasure = await desk.catalog.erasures.find(receipt);
    await started.store.command({
      name: 'test',
      sql: `INSERT INTO stretch (accountId, slot, packageId, videoId, view, plays, playMs, toldViewer)
        SELECT {accountId:UInt32}, toDateTime('2026-10-05 10:00:00', 'UTC'), {packageId:UInt32},
          {videoId:UInt32}, generateUUIDv4(), 1, 1000, {viewer:UInt64}`,
      parameters: {
        accountId: site.accountId,
        packageId: numbers?.packageId ?? 0,
        videoId: numbers?.videoId ?? 0,
        viewer: erasure?.viewer ?? '',
      },
    });
    expect(await found(site)).toMatchObject({ undoneErasures: [{ receipt }] });
    const repaired = { remaining: [], undoneErasures: [], unknownNames: [] };
    expect(await found(site, { repairs: true })).toMatchObject(repaired);
    expect(await found(site)).toMatchObject({ erasures: 1, undoneErasures: [], sums: [] });
    expect(await playsOf(site)).toEqual(others);
  });

  test('with keepSums facts before a day are erased, and their sums go on answering', {
    tags: 'long',
  }, async () => {
    const site = await newSite(['mary']);
    const before = new Date(firstDay).toISOString().slice(0, 10);
    const old = site.beacons.filter(({ at }) => at < before);
    const answers = await playsOf(site);
    expect(await erase(site, { before, keepSums: true })).toMatchObject({
      views: old.length,
      facts: old.length * 2,
    });
    const left = site.beacons.length - old.length;
    expect(await stored('stretch', site)).toBe(left * 2);

    // Beacons of such days come again: neither are they stored, nor do sums shrink to them.
    await send(site, [...old.slice(1), { ...old[0], view: 'new' }] as object[]);
    await service.facts.rollUp();
    expect(await stored('stretch', site)).toBe(left * 2);
    const of = (days: string, measures: string) =>
      service.get(`/report/statistics/video/v2/query?${days}&measures=${measures}`, site.key);
    const refused = await of(range, 'views');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining(`before ${before} (UTC) were erased`),
    ]);
    const late = await of(`sdate=${before}&edate=2026-10-31`, 'views');
    expect(await late.json()).toMatchObject({ data: { totals: { views: left } } });
    const sums = await of(range, 'plays');
    expect(await sums.json()).toMatchObject({ data: { totals: { plays: answers.sums } } });
    for (const kind of ['info/date', 'os']) {
      const { list } = await service.ask(`/report/statistics/video/v1/${kind}?${range}`, site.key);
      const plays = list.reduce((sum, row) => sum + Number(row.videoCount), 0);
      expect(plays).toBe(site.beacons.length);
    }
    await expectSound(site);
  });

  test('before a day of the account all is gone, with the sums that had lost their facts', {
    tags: 'long',
  }, async () => {
    const site = await newSite(['mary']);
    const each = site.beacons.length / days.length;
    const { accountId } = site;
    await erase(site, { before: '2026-09-01', keepSums: true });
    // In New York the play of the third day is one of the evening before.
    await desk.catalog.accounts.change(accountId, { timeZone: 'America/New_York' });
    expect(await erase(site, { before: '2026-10-05' })).toMatchObject({
      ...{ kind: 'playback', state: 'done', views: each, facts: each * 2 },
      untilMs: Date.parse('2026-10-05T04:00:00Z'),
    });
    // Also of viewers, which were a 400 while sums were left.
    expect(await playsOf(site)).toEqual(evenly(each));
    expect(await stored('stretch', site)).toBe(each * 2);
    await send(site, site.beacons);
    await service.facts.rollUp();
    expect(await playsOf(site)).toEqual(evenly(each));
    await expectSound(site);
  });

  test('what keeps sums goes by whole UTC days, and is all before the day of the account', {
    tags: 'long',
  }, async () => {
    const site = await newSite(['mary']);
    const each = site.beacons.length / days.length;
    await desk.catalog.accounts.change(site.accountId, { timeZone: 'America/New_York' });
    expect(await erase(site, { before: '2026-10-04', keepSums: true })).toMatchObject({
      ...{ kind: 'facts', facts: each * 4, untilMs: Date.parse('2026-10-05T00:00:00Z') },
    });
    const { list } = await service.ask(`/report/statistics/video/v1/info/date?${range}`, site.key);
    expect(list.reduce((sum, row) => sum + Number(row.videoCount), 0)).toBe(site.beacons.length);
    await expectSound(site);
  });

  test('facts are kept for as many months as the account says', { tags: 'long' }, async () => {
    const site = await newSite(['mary']);
    const parts = { eraser: desk.eraser, catalog: desk.catalog, clock: systemClock };
    const account = async () => {
      const account = await desk.catalog.accounts.find(site.accountId);
      if (!account) throw new Error('the account is gone');
      return account;
    };
    expect(await account()).toMatchObject({ factsMonths: 25 });
    expect(await eraseOldFacts(parts, await account())).toBe(false);
    await desk.catalog.accounts.change(site.accountId, { factsMonths: 1 });
    const since = Date.parse(firstDayKept(Date.now(), 1));
    const kept = site.beacons.filter(({ at }) => Date.parse(at) >= since);
    expect(await eraseOldFacts(parts, await account())).toBe(true);
    expect(await eraseOldFacts(parts, await account())).toBe(false);
    await expect.poll(() => stored('stretch', site)).toBe(kept.length * 2);
    const plays = async () => {
      const { list } = await service.ask(`/report/statistics/video/v1/os?${range}`, site.key);
      return list.reduce((sum, row) => sum + Number(row.videoCount), 0);
    };
    expect(await plays()).toBe(site.beacons.length);
    await expectSound(site);
    // Sums that were kept go with the next month's.
    await desk.catalog.accounts.change(site.accountId, { keepsSums: false });
    expect(await eraseOldFacts(parts, await account())).toBe(false);
    const today = new Date();
    const nextMonthMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
    const clock = { ...systemClock, now: () => nextMonthMs };
    const later = firstDayKept(clock.now(), 1);
    await eraseOldFacts({ ...parts, clock }, await account());
    await expect.poll(async () => (await desk.catalog.erasures.open()).length).toBe(0);
    expect(await plays()).toBe(site.beacons.filter(({ at }) => at >= later).length);
    await expectSound(site);
  });

  test('a person with a key erases over the interface, and reads the receipt', async () => {
    const site = await newSite();
    const { manage } = new Playmeter({ url: service.url, key: site.key });
    const half = { views: site.beacons.length / 2, facts: site.beacons.length };
    expect(await manage.erasePlayback({ viewer: 'mary', dryRun: 'Y' })).toEqual({
      receipt: null,
      ...half,
    });
    const { receipt, ...counts } = await manage.erasePlayback({ viewer: 'mary' });
    expect(counts).toEqual(half);
    await expect
      .poll(async () => (await manage.erasures()).list)
      .toMatchObject([
        { receipt, kind: 'viewer', state: 'done', ...half, by: expect.stringMatching(/^KEY:/) },
      ]);
    expect(await playsOf(site)).toEqual(evenly(site.beacons.length / 2));
    // What comes again stays out, and the ledger says what became of it.
    await send(site, site.beacons);
    expect(await erasedBeacons(site)).toBe(half.views);
    await service.facts.rollUp();
    expect(await playsOf(site)).toEqual(evenly(half.views));
    const { list } = await manage.audit({ action: 'PLAYBACK_ERASED' });
    expect(list).toMatchObject([{ object: receipt, after: half }]);
    expect(JSON.stringify([list, await manage.erasures()])).not.toContain('mary');
  });

  test.each([
    ['', /^account name a view/],
    ['viewer=mary&view=one', /^view must be given alone/],
    ['viewer=mary&packageId=1', /^viewer must be given alone/],
    ['account=4294967295', /^account is not the account of the key/],
    ['viewer=', /^viewer must not be empty/],
    ['accessKey=film&viewer=', /^viewer must not be empty/],
    ['before=2026-02-30', /^before must be a date that exists/],
    ['before=2100-01-01', /^before must not be in the future/],
    ['account=1&viewer=mary', /^account must be given alone/],
    ['viewer=mary&keepSums=Y', /^keepSums must be given with before alone/],
    ['before=2026-01-01&packageId=1&keepSums=Y', /^keepSums must be given with before alone/],
  ])('DELETE /manage/v1/playback?%s is refused', async (query, detail) => {
    const { key } = await service.addAccount();
    const refused = await service.manage(key, 'DELETE', `/playback?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
  });
});

test.each([
  ['2026-11-22T10:00:00Z', 25, '2024-10-01'],
  ['2026-01-01T00:00:00Z', 1, '2025-12-01'],
  ['2026-03-31T23:59:59Z', 12, '2025-03-01'],
  ['1999-01-01T00:00:00Z', 1_200, '1970-01-01'],
])('at %s with %j months facts are kept from %s on', (now, months, day) => {
  expect(firstDayKept(Date.parse(now), months)).toBe(day);
});
