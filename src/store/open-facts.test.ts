/**
 * What is accepted and answered from the start to the end, and what a statement that fails reports.
 * In the store's place stands a server that holds nothing and fails as a test wants.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { type RecordingServer, startRecordingServer } from '../../test/support/recording-server.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { coveredSkewMs } from './cluster/cluster-store.ts';
import type { Fact } from './facts.ts';
import { computeChecksum } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openFacts } from './open-facts.ts';
import { usualPace } from './roll-up/roll-up.ts';

type Options = Parameters<typeof openFacts>[0];

const day = Date.UTC(2026, 9, 5);
const records = migrations.map((one) => ({ name: one.name, checksum: computeChecksum(one) }));
const noSums = 'Nothing has been summed since the start';
const damaged = 'Code: 246. DB::Exception: as the test said. (CORRUPTED_DATA)';
const mistaken = 'Code: 47. DB::Exception: as the test said. (UNKNOWN_IDENTIFIER)';
const crowded = 'Code: 252. DB::Exception: as the test said. (TOO_MANY_PARTS)';

let server: RecordingServer;
let clock: ReturnType<typeof manualClock>;
let metrics: Registry;
let logged: Readonly<Record<string, unknown>>[];
/** What the server says to statements with these words; a text is a failure. */
let answers: (readonly [words: string, answer: object[] | string | undefined])[];
beforeEach(async () => {
  [clock, logged] = [manualClock(), []];
  answers = [
    ['SELECT DISTINCT name, checksum', records],
    ['FROM rolled', [{ through: 0, daysThrough: 0, repeatedMs: 0, storeNow: 1_000 }]],
    ['(batch, notes)', [{ storeNow: 1_000, batches: [] }]],
  ];
  server = await startRecordingServer(({ sql }) => {
    const [found] = answers.filter(([words]) => sql.includes(words));
    const [, answer] = found ?? ['', []];
    if (typeof answer === 'string') throw answer;
    return answer;
  });
});
afterEach(() => server.close());

const say = (words: string, answer: object[] | string | undefined) =>
  answers.unshift([words, answer]);
const askedFor = (words: string) => server.asked.filter(({ sql }) => sql.includes(words));

function open(other: Partial<Options> = {}) {
  metrics = new Registry();
  const facts = openFacts({
    access: { url: server.url, username: 'one', password: '', database: 'stats' },
    clock,
    logger: pino({}, { write: (line) => void logged.push(JSON.parse(line)) }),
    metrics,
    ...other,
  });
  onTestFinished(() => facts.close());
  return facts;
}

/** Until what comes next waits for the clock. */
const asleep = (loops: number) => waitUntil('a pause', () => clock.waiting() >= loops);

function factOf(other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId: 7, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: randomUUID(), stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    ...other,
  };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-open-facts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything that needs tables. */
function asksOf(facts: ReturnType<typeof open>): (() => Promise<unknown>)[] {
  return [
    () => facts.stretches.write([]),
    () => facts.events.read([]),
    () => facts.ledger.write([]),
    () => facts.values.valuesOf([{ accountId: 1, day }]),
    () => facts.rollUp(),
    () => facts.checkViews(),
    ...asksOfSums(facts),
  ];
}

/** Everything that needs sums of all that was acknowledged. */
function asksOfSums(facts: ReturnType<typeof open>): (() => Promise<unknown>)[] {
  return [
    () => facts.read({ name: 'test', sql: 'SELECT 1', parameters: {} }),
    () => facts.suspects.namesSince(0),
    () => facts.upkeep.accounts(),
    () => facts.erasing.knownViews(1, [randomUUID()]),
    () => facts.ping(),
  ];
}

const notReady = (reason: unknown) => ({
  ...{ code: 'UNAVAILABLE', message: 'The statistics store is not ready', retryAfterSeconds: 1 },
  cause: { message: reason },
});

test('nothing is accepted or answered before the store is ready', async () => {
  say('', crowded);
  const facts = open();
  expect(facts.whyNotReady()).toBe('The statistics store has not answered yet');
  await asleep(1);
  const reason = expect.stringContaining('as the test said');
  const parts = [facts, facts.stretches, facts.events, facts.ledger];
  for (const part of parts) expect(part.whyNotReady()).toEqual(reason);
  for (const ask of asksOf(facts)) await expect(ask()).rejects.toMatchObject(notReady(reason));
  expect(facts.storedThrough()).toBe(0);
  expect(facts.completeThrough()).toBe(0);
  // What is closed before it was ready says so to nobody.
  await facts.close();
  await facts.ready();
});

test('then facts are accepted, and answers wait for the first sums', async () => {
  say('(batch, notes)', mistaken);
  const facts = open();
  await waitUntil('a failure', () => facts.whySummingFails() !== undefined);
  expect(facts.whyNotReady()).toBe(noSums);
  for (const part of [facts.stretches, facts.events, facts.ledger]) {
    expect(part.whyNotReady()).toBeUndefined();
  }
  expect(facts.whySummingFails()).toContain('as the test said');
  await facts.stretches.write([factOf()]);
  for (const ask of asksOfSums(facts)) await expect(ask()).rejects.toMatchObject(notReady(noSums));
  expect(facts.storedThrough()).toBe(clock.now());

  answers.shift();
  clock.advance(1_000);
  await facts.ready();
  for (const part of [facts, facts.stretches, facts.events, facts.ledger]) {
    expect(part.whyNotReady()).toBeUndefined();
  }
  await facts.ping();
  expect(await facts.read({ name: 'test', sql: 'SELECT 1', parameters: {} })).toEqual([]);
  // The next failure is no news of the start.
  await asleep(2);
  say('(batch, notes)', mistaken);
  clock.advance(1_000);
  await waitUntil('a failure', async () => (await metrics.metrics()).includes('failures_total 2'));
  expect(facts.whySummingFails()).toBeUndefined();
});

test('a ping and a look at the server learn why it does not answer', async () => {
  const facts = open();
  await facts.ready();
  await facts.reach();
  say('', damaged);
  const reported = {
    ...{ code: 'UNAVAILABLE', message: expect.stringContaining('as the test said') },
    cause: { cause: { code: '246' } },
  };
  await expect(facts.ping()).rejects.toMatchObject(reported);
  await expect(facts.reach()).rejects.toMatchObject(reported);
});

test('while the server is known to be away nobody asks it', async () => {
  let away: string | undefined = 'the engine starts, as the test said';
  const facts = open({ whyServerNotReady: () => away });
  await asleep(1);
  expect(facts.whyNotReady()).toBe(away);
  await expect(facts.reach()).rejects.toThrow(away);
  expect(server.asked).toEqual([]);
  away = undefined;
  clock.advance(25);
  await facts.ready();
  away = 'the engine starts again, as the test said';
  expect(facts.whyNotReady()).toBe(away);
  expect(facts.stretches.whyNotReady()).toBe(away);
});

test('who waits for an answer is cut off', async () => {
  const facts = open();
  await facts.ready();
  await asleep(2);
  say('', undefined);
  const before = server.asked.length;
  const waiting = facts.reach();
  waiting.catch(() => {});
  await waitUntil('the question', () => server.asked.length > before);
  await facts.cut();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test.each([
  ['outage', crowded],
  ['damage', damaged],
  ['mistake', mistaken],
])('a statement that fails is counted, and logged but for outages: %s', async (kind, failure) => {
  let damages = 0;
  const facts = open({ onDamage: () => (damages += 1) });
  await facts.ready();
  say('FROM ledger', failure);
  const range = { accountId: 1, firstDay: '2026-10-05', lastDay: '2026-10-05' };
  await expect(facts.ledger.read(range)).rejects.toThrow();
  const labels = `{statement="read ledger",kind="${kind}"}`;
  expect(await metrics.metrics()).toContain(`statement_failures_total${labels} 1`);
  expect(damages).toBe(kind === 'damage' ? 1 : 0);
  expect(logged).toMatchObject(
    kind === 'outage'
      ? []
      : [{ level: 50, statement: 'read ledger', kind, err: { code: expect.any(String) } }],
  );
});

test('without a journal the store makes facts durable, and none waits', async () => {
  say('FROM system.tables', [{ name: 'migration' }]);
  const facts = open();
  await facts.ready();
  // Its tables may be changed unless something else is said.
  expect(askedFor('CREATE TABLE')).not.toEqual([]);
  expect(facts.stretches.everyMs).toBe(10);
  await facts.stretches.write([factOf(), factOf()]);
  expect(askedFor('INSERT INTO stretch')).toHaveLength(1);
  expect(facts.stretches.isFilling?.()).toBe(false);
  expect(facts.waitingFacts()).toBe(0);
  expect(facts.recovered()).toEqual({ files: 0, facts: 0, keptFiles: 0 });
  expect(facts.storedThrough()).toBe(clock.now());
});

test('with one a write waits for its file alone, and the next start finds it', async () => {
  const journalFolder = await newFolder();
  const facts = open({ journalFolder });
  await facts.ready();
  expect(facts.stretches.everyMs).toBe(0);
  await facts.stretches.write([factOf(), factOf()]);
  expect(askedFor('INSERT INTO stretch')).toEqual([]);
  expect(facts.waitingFacts()).toBe(2);
  const since = clock.now();
  clock.advance(1);
  expect(facts.storedThrough()).toBe(since);
  say('INSERT INTO stretch', crowded);
  await facts.close();
  answers.shift();
  const before = server.asked.length;

  const next = open({
    journalFolder: await newFolder(),
    leftJournals: async () => [journalFolder],
  });
  await next.ready();
  expect(next.recovered()).toEqual({ files: 1, facts: 2, keptFiles: 0 });
  expect(await readdir(journalFolder)).toEqual([]);
  expect(server.asked.slice(before).map(({ sql }) => sql)).toContainEqual(
    expect.stringContaining('INSERT INTO stretch'),
  );
  // What waits goes into the store before it is summed.
  await asleep(3);
  await next.stretches.write([factOf()]);
  const asked = server.asked.length;
  await next.rollUp();
  const statements = server.asked.slice(asked).map(({ sql }) => sql);
  const places = ['INSERT INTO stretch', 'FROM touched'].map((words) =>
    statements.findIndex((sql) => sql.includes(words)),
  );
  expect(places).toEqual([0, expect.any(Number)]);
  expect(places[1]).toBeGreaterThan(0);
});

test.each([
  ['rolls up itself, whose roll-ups store them sooner', undefined, 1_000],
  ['follows another one', { follows: true, reported: () => 5_000, needsNoSums: true }, 600],
])('how long facts wait for the store in a process that %s', async (_, sharing, waitMs) => {
  const journalFolder = await newFolder();
  const facts = open({ journalFolder, sharing, pace: { everyMs: 3_600_000 } });
  await facts.ready();
  await facts.rollUp();
  await facts.stretches.write([factOf()]);
  const loops = clock.waiting();
  clock.advance(waitMs - 1);
  await asleep(loops);
  expect(askedFor('INSERT INTO stretch')).toEqual([]);
  clock.advance(1);
  await waitUntil('an insert', () => askedFor('INSERT INTO stretch').length === 1);
});

test('what was set apart lately is remembered before any fact is accepted', async () => {
  const remembered: unknown[] = [];
  const apart = { view: randomUUID(), apartAs: 'ADDRESS:2026-10-05:1', usual: [] };
  say('apartAs', [apart]);
  const recall = {
    ...{ reasons: ['ADDRESS'], withinMs: 60_000, mostViews: 5 },
    remember: (views: readonly unknown[]) =>
      void remembered.push({ views, soFar: facts.stretches.whyNotReady() }),
  };
  const facts = open({ recall });
  await facts.ready();
  const { apartAs: suspect, ...view } = apart;
  const soFar = 'The statistics store has not answered yet';
  expect(remembered).toEqual([{ views: [{ ...view, suspect }], soFar }]);
  const since = String(Math.floor((clock.now() - 60_000) / 1_000));
  expect(askedFor('apartAs')[0]?.parameters).toMatchObject({ param_since: since });
});

test('the look-back is the usual one unless it is given, and longer for many servers', async () => {
  const usual = open();
  expect(usual.erasing.settlesWithinMs).toBe(usualPace.lookBackMs);
  const given = open({ pace: { lookBackMs: 5 } });
  expect(given.erasing.settlesWithinMs).toBe(5);
  expect(given.upkeep.settlesWithinMs).toBe(5);
  // The clocks of several servers may differ.
  const access = { cluster: 'plays', urls: [server.url], username: 'one', password: '' };
  const ofMany = open({ access: { ...access, database: 'stats' } });
  expect(ofMany.erasing.settlesWithinMs).toBe(usualPace.lookBackMs + coveredSkewMs);
});

test('what a process does of the sums, and where it merges, is as it was given', async () => {
  say('enable_shared_storage_snapshot_in_query', [{ isOn: 1 }]);
  say('EXPLAIN ESTIMATE', [{ rows: 7 }]);
  const sharing = { follows: true, reported: () => 5_000, needsNoSums: true };
  const facts = open({ sharing, fewFacts: 6 });
  await facts.ready();
  expect(facts.completeThrough()).toBe(5_000);
  const range = { accountId: 1, fromMs: day, untilMs: day + 86_400_000 };
  expect(await facts.countedWithin(range)).toMatchObject({ mergesAll: false });
  expect(askedFor('(batch, notes)')).toEqual([]);
});

test('views are checked, parts read and the server examined when somebody asks for it', async () => {
  const facts = open({ onDamage: () => {} });
  await facts.ready();
  const asked = () => server.asked.length;
  const before = asked();
  await facts.checkViews();
  const between = asked();
  expect(between).toBeGreaterThan(before);
  await facts.checkNewParts(60);
  expect(asked()).toBeGreaterThan(between);
  say('crowded', [{ nowMs: clock.now() + 5, parts: 0 }]);
  expect(await facts.upkeep.health()).toMatchObject({ clockAheadMs: 5 });
});

test('a store that a later release has used is not waited for', async () => {
  say('SELECT DISTINCT name, checksum', [...records, { name: '9999-later', checksum: '' }]);
  const facts = open();
  await expect(facts.ready()).rejects.toThrow('a later release used it');
  expect(facts.whyNotReady()).toContain('a later release used it');
});

test('tables of an earlier release stay as they are where that is asked', async () => {
  say('SELECT DISTINCT name, checksum', records.slice(0, -1));
  say('FROM system.tables', [{ name: 'migration' }]);
  const facts = open({ leavesAsFound: true });
  await expect(facts.ready()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(askedFor('CREATE')).toEqual([]);
});
