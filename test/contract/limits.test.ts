/** The limits of two processes that count in one PostgreSQL: what they let pass, and when not. */

import pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { limiterFor } from '../../src/app/parts/request-limits.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { createAddressLimit, limitWrongKeys } from '../../src/http/limits/rate-limits.ts';
import type { Limiter, LimiterOf } from '../../src/lib/limits/limiter.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Nobody is late by it, however slow the machine is. */
const clock = manualClock();
const secret = 'the same secret on both of the nodes';
const minuteMs = 60_000;

interface Node {
  readonly limiterOf: LimiterOf;
  readonly metrics: Registry;
  readonly log: string[];
}

let postgres: Postgres;
let administrator: pg.Client;
let databaseUrl: string;
let catalogs: Catalog[];
let one: Node;
let other: Node;
beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  catalogs = [
    await openCatalog({ location: { databaseUrl }, clock }),
    await openCatalog({ location: { databaseUrl }, clock }),
  ];
  await connect();
});
beforeEach(() => {
  [one, other] = catalogs.map(nodeOn) as [Node, Node];
});
afterAll(async () => {
  await administrator?.end();
  await Promise.all(catalogs?.map((catalog) => catalog.close()) ?? []);
  await postgres?.stop();
});

async function connect(): Promise<void> {
  administrator = new pg.Client(databaseUrl);
  administrator.on('error', () => {});
  await administrator.connect();
}

function nodeOn(catalog: Catalog): Node {
  const [metrics, log]: [Registry, string[]] = [new Registry(), []];
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(JSON.parse(line).msg) });
  return { limiterOf: limiterFor({ clock, logger }, { catalog, secret, metrics }), metrics, log };
}

async function aMinutePasses(): Promise<void> {
  await administrator.query(`update limit_windows set until_ms = until_ms - ${minuteMs}`);
  clock.advance(minuteMs);
}

async function storedSubjects(): Promise<string[]> {
  const { rows } = await administrator.query('select subject from limit_windows');
  return rows.map(({ subject }) => subject);
}

let names = 0;
/** The same limit at each node, which no other test uses. */
function limitersOf(points: number, accuracy: 'exact' | 'cheap'): [Limiter, Limiter] {
  names += 1;
  const name = `limit ${names}`;
  return [one.limiterOf(name, points, accuracy), other.limiterOf(name, points, accuracy)];
}

/** How many of so many pass that come one by one, at the nodes in turn. */
async function passing(limiters: readonly Limiter[], count: number): Promise<number> {
  let passed = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const limiter = limiters[sent % limiters.length] as Limiter;
    const { consumed } = await limiter.consume('somebody');
    if (consumed <= limiter.points) passed += 1;
  }
  return passed;
}

test('of an exact limit each node knows what both let pass, until the minute is over', async () => {
  const limiters = limitersOf(5, 'exact');
  const consumed: number[] = [];
  for (let sent = 0; sent < 8; sent += 1) {
    const state = await (limiters[sent % 2] as Limiter).consume('a key');
    consumed.push(state.consumed);
    expect(state.msBeforeNext > 0 && state.msBeforeNext <= minuteMs).toBe(true);
  }
  expect(consumed).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
  const [, second] = limiters;
  expect(await second.look('a key')).toMatchObject({ consumed: 6 });
  expect(await second.consume('another key')).toMatchObject({ consumed: 1 });
  await aMinutePasses();
  expect(await passing(limiters, 8)).toBe(5);
});

test('exactly as many pass if all come at once', async () => {
  const limiters = limitersOf(50, 'exact');
  const states = await Promise.all(
    Array.from({ length: 120 }, (_, sent) => (limiters[sent % 2] as Limiter).consume('a key')),
  );
  const passed = states.map(({ consumed }) => consumed).filter((consumed) => consumed <= 50);
  expect(passed.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test('a cheap limit costs the database nothing below a hundredth', async () => {
  const before = await storedSubjects();
  const limiters = limitersOf(1_000, 'cheap');
  expect(await passing(limiters, 20)).toBe(20);
  expect(await storedSubjects()).toEqual(before);
  await passing(limiters, 1);
  expect(await storedSubjects()).toHaveLength(before.length + 1);
});

test.each([
  ['in turn', (limiters: Limiter[]) => limiters],
  ['at one', ([first]: Limiter[]) => [first as Limiter]],
])('a cheap limit holds within its bounds when nodes are asked %s', async (_how, choose) => {
  const limiters = choose(limitersOf(300, 'cheap'));
  for (let minute = 0; minute < 3; minute += 1) {
    const passed = await passing(limiters, 400);
    expect(passed).toBeGreaterThanOrEqual(294);
    expect(passed).toBeLessThanOrEqual(312);
    await aMinutePasses();
  }
});

test('a cheap limit holds when all come at once', async () => {
  const limiters = limitersOf(300, 'cheap');
  const states = await Promise.all(
    Array.from({ length: 800 }, (_, sent) => (limiters[sent % 2] as Limiter).consume('somebody')),
  );
  const passed = states.filter(({ consumed }) => consumed <= 300).length;
  expect(passed).toBeGreaterThanOrEqual(294);
  expect(passed).toBeLessThanOrEqual(312);
});

const unheard = { setHeader: () => undefined };

test('wrong keys of a network and of its site count over both nodes', async () => {
  const enter = [one, other].map(({ limiterOf }) => limitWrongKeys(2, limiterOf));
  const tried = (sent: number, address: string) =>
    enter[sent % 2]?.({ secret: `wrong ${sent}`, address }, unheard, async () => undefined);
  const refusal = { code: 'RATE_LIMITED' };
  for (let sent = 0; sent < 2; sent += 1) await tried(sent, '2001:db8:7:1::1');
  for (let sent = 0; sent < 2; sent += 1) {
    await expect(tried(sent, '2001:db8:7:1::2')).rejects.toMatchObject(refusal);
  }
  for (let sent = 2; sent < 32; sent += 1) await tried(sent, `2001:db8:7:${sent}::1`);
  for (let sent = 0; sent < 2; sent += 1) {
    await expect(tried(sent, '2001:db8:7:99::1')).rejects.toMatchObject(refusal);
  }
  await aMinutePasses();
  await tried(0, '2001:db8:7:1::1');
});

test('what is stored tells no address', async () => {
  const limit = createAddressLimit(2, one.limiterOf);
  await limit('203.0.113.7', unheard);
  const subjects = await storedSubjects();
  expect(subjects.length).toBeGreaterThan(0);
  for (const subject of subjects) expect(subject).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

const isAlone = async ({ metrics }: Node) =>
  /^playmeter_limits_alone 1$/m.test(await metrics.metrics());

async function untilTogether(nodes: readonly Node[]): Promise<void> {
  const limiters = nodes.map(({ limiterOf }) => limiterOf('any', 1_000_000, 'exact'));
  await waitUntil('nodes to count together', async () => {
    // Time stands still for what they are asking.
    if (clock.waiting() > 0) return false;
    if (!(await Promise.all(nodes.map(isAlone))).includes(true)) return true;
    clock.advance(1_000);
    for (const limiter of limiters) await limiter.consume('anybody');
    return false;
  });
}

test('without PostgreSQL each node counts for itself, and together again with it', async () => {
  const [exact, cheap] = [limitersOf(5, 'exact'), limitersOf(300, 'cheap')];
  expect(await passing(exact, 4)).toBe(4);
  await administrator.end();
  await postgres.kill();
  for (const limiter of exact) expect(await passing([limiter], 8)).toBe(5);
  for (const limiter of cheap) {
    const passed = await passing([limiter], 400);
    expect(passed).toBeGreaterThanOrEqual(300);
    expect(passed).toBeLessThanOrEqual(306);
  }
  expect(await Promise.all([one, other].map(isAlone))).toEqual([true, true]);
  await postgres.start();
  await connect();
  await untilTogether([one, other]);
  clock.advance(minuteMs);
  expect(await passing(exact, 8)).toBe(5);
  expect(one.log).toEqual([
    'PostgreSQL counts no limits, each process does',
    'limits hold over all nodes again',
  ]);
});

test('while PostgreSQL hangs, only the first waits, and that for a second', async () => {
  const limiters = limitersOf(5, 'exact');
  expect(await passing(limiters, 2)).toBe(2);
  const goOn = await postgres.freeze();
  const [first] = limiters;
  const waits = first.consume('somebody');
  await waitUntil('the wait', () => clock.waiting() > 0);
  clock.advance(1_000);
  expect(await waits).toMatchObject({ consumed: 1 });
  // No second passes for these.
  expect(await passing([first], 8)).toBe(4);
  clock.advance(1_000);
  expect(await first.consume('another')).toMatchObject({ consumed: 1 });
  goOn();
  await untilTogether([one]);
});
