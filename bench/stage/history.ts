/**
 * A year of playback: facts made by the engine, summed by the real roll-up, a few days at a time.
 * Every beacon is a stretch and a view of its own, which is the most that beacons can cost.
 */

import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type EngineAccess, startEngine } from '../../src/engine/engine.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type FactStore, openFactStore } from '../../src/store/client/store-client.ts';
import { createFactMetrics } from '../../src/store/journal/store-metrics.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { startRollUp } from '../../src/store/roll-up/roll-up.ts';
import { noVerdictSource } from '../../src/store/sql/verdicts.ts';
import { toldSystem } from '../../src/store/tables/audience.ts';
import { tables } from '../../src/store/tables/schema.ts';
import { type BareEngine, factsDatabase, openBareEngine } from './bare-engine.ts';
import type { BenchAccount, BenchService } from './bench-service.ts';

export const historyDays = 365;
export const packagesPerAccount = 5;
/** The last day of the history is a whole one. */
export const firstDayMs = (Math.floor(Date.now() / 86_400_000) - historyDays) * 86_400_000;

const slotsPerDay = 96;
/** Takes a fraction of what a statement may take, also on a busy machine. */
const beaconsPerRollUp = 1_000_000;
const memoryMb = 10_240;
const never = 2 ** 30;

export interface History {
  readonly account: BenchAccount;
  readonly beacons: number;
  readonly videos: number;
  /** Gets the same rows, of sums as well, without another roll-up. */
  readonly neighbour?: BenchAccount;
}

/** Inserts the facts of so many days of a history, from its day `day` on. */
export type InsertDays = (
  engine: BareEngine,
  history: History,
  day: number,
  days: number,
) => Promise<void>;

/** Stops the service, fills its engine, and starts it again as it was. */
export async function fillHistories(
  service: BenchService,
  histories: readonly History[],
  say: (line: string) => void,
  { insertDays, checksViews }: Omit<Filling, 'histories'> = { insertDays: insertBeacons },
): Promise<void> {
  await service.stop();
  const logger = pino({ level: 'error' }, pino.destination(2));
  const folder = join(service.dataFolder, 'engine');
  const running = await startEngine({ folder, memoryMb, logger });
  try {
    await fillEngine(running.access, { histories, insertDays, checksViews }, say);
  } finally {
    await running.stop();
  }
  await service.start();
}

interface Filling {
  readonly histories: readonly History[];
  readonly insertDays: InsertDays;
  /** Whether their irregular views are found at once, and not in the background after the start. */
  readonly checksViews?: boolean | undefined;
}

async function fillEngine(
  access: EngineAccess,
  filling: Filling,
  say: (line: string) => void,
): Promise<void> {
  const store = openFactStore({ ...access, database: factsDatabase });
  while (
    !(await store.ping().then(
      () => true,
      () => false,
    ))
  )
    await new Promise(setImmediate);
  await migrate(store, migrations, systemClock);
  await fillStore({ store, engine: openBareEngine(access) }, filling, say);
  await store.close();
}

interface Filled {
  readonly store: FactStore;
  /** The same, spoken to without the program. */
  readonly engine: BareEngine;
}

/** While no service rolls up in it. */
export async function fillStore(
  { store, engine }: Filled,
  { histories, insertDays, checksViews = false }: Filling,
  say: (line: string) => void,
): Promise<void> {
  const logger = pino({ level: 'error' }, pino.destination(2));
  const pace = { everyMs: never, daysEveryMs: 0, lookBackMs: 1 };
  const rollUp = startRollUp({
    store,
    journal: { storedThrough: systemClock.now, flush: async () => {} },
    verdicts: noVerdictSource,
    clock: systemClock,
    logger,
    metrics: createFactMetrics(new Registry()),
    pace,
  });
  for (const history of histories) {
    const days = Math.max(1, Math.floor((historyDays * beaconsPerRollUp) / history.beacons));
    const startedAt = performance.now();
    for (let day = 0; day < historyDays; day += days) {
      const inserted = Math.min(days, historyDays - day);
      await insertDays(engine, history, day, inserted);
      await touchDays(engine, history, day, inserted);
      await rollUp.run();
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (history.beacons >= 1_000_000) say(`${history.beacons} beacons filled in ${seconds} s`);
  }
  if (checksViews) await rollUp.checkViews();
  await rollUp.stop();
  for (const { account, neighbour } of histories) {
    if (neighbour) await copyRows(engine, account, neighbour);
  }
  const forget = { name: 'forget notes', sql: 'TRUNCATE TABLE touched', parameters: {} };
  await store.onEachServer((server) => server.command(forget));
}

async function copyRows(engine: BareEngine, from: BenchAccount, to: BenchAccount) {
  for (const { name, columns } of Object.values(tables)) {
    if (!('accountId' in columns)) continue;
    await engine.run(`
      INSERT INTO ${name}
      SELECT * REPLACE (${to.accountId} AS accountId)
      FROM (SELECT * FROM ${name} WHERE accountId = ${from.accountId})`);
  }
}

/** Its beacons until the end of a day. */
export function beaconsUntil({ beacons }: History, day: number): number {
  return Math.round((beacons * day) / historyDays);
}

export const startOfDay = (day: number): number => firstDayMs / 1_000 + day * 86_400;

const systems = [
  ['Windows', '10'],
  ['Android', '14'],
  ['iOS', '17.4'],
  ['Windows', '11'],
  ['Android', '15'],
  ['macOS', 'Unknown'],
  ['Android', '13'],
  ['iOS', '18.1'],
  ['iPadOS', '17.4'],
  ['Linux', 'Unknown'],
  ['Android', '12'],
  ['iOS', '16.7'],
  ['Tizen', '6'],
  ['webOS', '6'],
  ['tvOS', '17.4'],
  ['ChromeOS', '126'],
  ['Android', '11'],
  ['iOS', '15.8'],
  ['Windows', '7'],
  ['Fire OS', '7'],
  ['Roku', '12.5'],
  ['PlayStation', '5'],
  ['Xbox', 'Series X'],
  ['Unknown', 'Unknown'],
] as const;

export async function insertBeacons(
  engine: BareEngine,
  history: History,
  day: number,
  days: number,
) {
  const { account, videos } = history;
  const rows = beaconsUntil(history, day + days) - beaconsUntil(history, day);
  await engine.run(`
    INSERT INTO stretch (accountId, slot, packageId, videoId, toldSystem, view, stretch,
      suspect, plays, playMs)
    WITH
      [${systems.map(([os, version]) => `'${toldSystem(os, version)}'`).join(', ')}] AS systems,
      toUInt32(${videos} * pow(rand(1) / 4294967296, 2)) AS video,
      systems[1 + toUInt32(24 * pow(rand(2) / 4294967296, 2))] AS system
    SELECT ${account.accountId},
      toDateTime(${startOfDay(day)} + intDiv(number * ${days * slotsPerDay}, ${rows}) * 900, 'UTC'),
      ${account.packageId} + video % ${packagesPerAccount}, ${account.videoId} + video,
      system, generateUUIDv4(number), 0, '', 1, 1000 + rand(3) % 600000
    FROM numbers(${rows})`);
}

async function touchDays(engine: BareEngine, { account }: History, day: number, days: number) {
  await engine.run(`
    INSERT INTO touched (accountId, slot, batch)
    SELECT ${account.accountId}, toDateTime(${startOfDay(day)} + number * 900, 'UTC'),
      ${randomInt(2 ** 47)}
    FROM numbers(${days * slotsPerDay})`);
}
