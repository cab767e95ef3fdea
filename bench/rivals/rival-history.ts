/** The same year of playback in the rivals' tables, and the same questions of their summary. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.ts';
import { firstDayMs, historyDays, packagesPerAccount } from '../stage/history.ts';
import {
  type AskedTimes,
  allQuestions,
  type BenchQuestion,
  nameOf,
  oneDay,
  oneSystem,
  timesOf,
} from '../stage/questions.ts';
import { postgresTables, refreshPostgresHourly } from './postgres-events.ts';
import { refreshSqliteHourly, sqliteTables } from './sqlite-events.ts';

const videos = 100;
const systems = ['Windows', 'Android', 'iOS', 'macOS', 'Linux', 'Tizen'];
const versions = 4;

export interface RivalHistory {
  readonly name: string;
  /** Asks each question of the hourly summary so often, by SQL alone, without HTTP. */
  ask(times: number): Promise<Record<string, AskedTimes>>;
  stop(): Promise<void>;
}

export async function fillPostgres(beacons: number): Promise<RivalHistory> {
  const server = await startPostgres();
  const client = new pg.Client(await server.createDatabase());
  await client.connect();
  await client.query(postgresTables);
  await client.query(`
    INSERT INTO events
    SELECT 1, 1 + video % ${packagesPerAccount}, 1 + video, gen_random_uuid()::text, 0,
      to_timestamp(${firstDayMs / 1_000} + n * ${historyDays * 86_400}.0 / ${beacons}),
      1000 + (random() * 600000)::integer,
      (ARRAY['${systems.join("','")}'])[1 + (random() * ${systems.length - 0.01})::integer
        % ${systems.length}],
      (10 + (random() * ${versions})::integer)::text
    FROM (SELECT n, (power(random(), 2) * ${videos - 1})::integer AS video
      FROM generate_series(0, ${beacons - 1}) AS n) AS drawn`);
  await client.query(refreshPostgresHourly, [new Date(firstDayMs)]);
  await client.query('VACUUM ANALYZE');
  return {
    name: 'PostgreSQL',
    ask: (times) =>
      askInTurn(times, async (question) => {
        const sql = questionSql(question, {
          day: "to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
          hour: "extract(hour FROM hour AT TIME ZONE 'UTC')",
          instant: (ms) => `to_timestamp(${ms / 1_000})`,
        });
        await client.query(sql);
      }),
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

export async function fillSqlite(beacons: number): Promise<RivalHistory> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-sqlite-'));
  const database = new Database(join(folder, 'events.sqlite'));
  database.exec(sqliteTables);
  const draw = (sides: number) => `abs(random() % ${sides})`;
  database.exec(`
    INSERT INTO events
    WITH RECURSIVE numbers(n, video) AS (
      SELECT 0, 0 UNION ALL SELECT n + 1, ${draw(videos)} * ${draw(videos)} / ${videos}
      FROM numbers WHERE n < ${beacons - 1})
    SELECT 1, 1 + video % ${packagesPerAccount}, 1 + video, hex(randomblob(16)), 0,
      ${firstDayMs} + cast(n * ${historyDays * 86_400_000}.0 / ${beacons} AS INTEGER),
      1000 + ${draw(600_000)},
      json_extract('${JSON.stringify(systems)}', '$[' || ${draw(systems.length)} || ']'),
      cast(10 + ${draw(versions)} AS TEXT)
    FROM numbers`);
  database.prepare(refreshSqliteHourly).run(firstDayMs);
  database.exec('ANALYZE');
  return {
    name: 'SQLite',
    ask: (times) =>
      askInTurn(times, async (question) => {
        const sql = questionSql(question, {
          day: "strftime('%Y-%m-%d', hour / 1000, 'unixepoch')",
          hour: 'hour / 3600000 % 24',
          instant: String,
        });
        database.prepare(sql).all();
      }),
    async stop() {
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function askInTurn(times: number, ask: (question: BenchQuestion) => Promise<void>) {
  const taken: Record<string, AskedTimes> = {};
  for (const question of allQuestions) {
    const of: number[] = [];
    await ask(question);
    for (let round = 0; round < times; round += 1) {
      const startedAt = performance.now();
      await ask(question);
      of.push(performance.now() - startedAt);
    }
    taken[nameOf(question)] = timesOf(of);
  }
  return taken;
}

interface Dialect {
  readonly day: string;
  readonly hour: string;
  instant(ms: number): string;
}

function questionSql({ statistic, filter }: BenchQuestion, dialect: Dialect): string {
  const dayMs = Date.parse(oneDay);
  const [from, until] =
    statistic === 'hour'
      ? [dayMs, dayMs + 86_400_000]
      : [firstDayMs, firstDayMs + historyDays * 86_400_000];
  const labels = { date: dialect.day, hour: dialect.hour, os: 'os', detail: 'os_version' };
  const conditions = [
    'account_id = 1',
    `hour >= ${dialect.instant(from)}`,
    `hour < ${dialect.instant(until)}`,
    ...(filter === 'package' ? ['package_id = 1'] : []),
    ...(filter === 'video' ? ['video_id = 1'] : []),
    ...(statistic === 'detail' ? [`os = '${oneSystem}'`] : []),
  ];
  return `SELECT ${labels[statistic]} AS label, sum(plays), sum(play_ms) FROM hourly
    WHERE ${conditions.join(' AND ')} GROUP BY 1 ORDER BY 1`;
}
