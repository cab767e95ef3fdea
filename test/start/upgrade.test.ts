/**
 * Data folders that earlier releases left when they were killed: catalog, facts, journal, media and
 * secret. This release brings them up to date and gives the answers they gave. (Of 0.1.0 all but the
 * list of a folder, in which `encodingSuccess` was null where it is now N, as the changelog says.)
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { waitUntil } from '../support/wait-until.ts';

interface Former {
  /** Of the account that asked. */
  readonly key: string;
  /** By path and query, as that release gave them. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const dayMs = 86_400_000;
const kept = join(import.meta.dirname, 'former');
const releases = readdirSync(kept)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.replace('.tar.gz', ''));

describe.each(releases)('a data folder of %s', (release) => {
  const former = JSON.parse(readFileSync(join(kept, `${release}.json`), 'utf8')) as Former;
  let folder: string;
  let service: ChildProcess | undefined;
  let output = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'playmeter-former-'));
    execFileSync('tar', ['-xzf', join(kept, `${release}.tar.gz`), '-C', folder]);
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const environment = () => ({ ...process.env, DATA_DIR: folder, PORT: '0' });

  function run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [program, ...words], {
      env: { ...environment(), LOG_LEVEL: 'silent' },
      encoding: 'utf8',
    });
  }

  async function start(): Promise<string> {
    output = '';
    service = spawn(process.execPath, [program, 'serve'], { env: environment() });
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
    await waitUntil('it is ready or has ended', () => /is ready: /.test(output) || hasEnded());
    expect(output).toContain('Playmeter is ready');
    return /is ready: (\S+)/.exec(output)?.[1] ?? '';
  }

  const hasEnded = () => service === undefined || service.exitCode !== null;

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    service?.kill('SIGTERM');
    await waitUntil('it has ended', hasEnded);
  }

  async function ask(url: string): Promise<Former['answers']> {
    const entries = Object.keys(former.answers).map(async (path) => {
      const response = await fetch(url + path, { headers: { 'x-api-key': former.key } });
      return [path, (await response.json()) as Record<string, unknown>] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /**
   * Of a release without version 2: what version 1 answers by date counts in each measure of version
   * 2 that needs nothing else.
   */
  async function expectInAudience(url: string, path: string): Promise<void> {
    const { searchParams: given } = new URL(path, url);
    const of = { sdate: given.get('sdate') ?? '', edate: given.get('edate') ?? '' };
    const askList = async (target: string, more: Record<string, string> = {}) => {
      const query = new URLSearchParams({ ...of, pageSize: '1000', ...more });
      const headers = { 'x-api-key': former.key };
      const response = await fetch(`${url}${target}?${query}`, { headers });
      return ((await response.json()) as { data: { list: Record<string, string>[] } }).data.list;
    };
    const audience = '/report/statistics/video/v2';
    const measures = 'plays,playMs,views,viewers';
    const byDate = { measures, dimensions: 'date', sort: '-date' };
    const rows = await askList(`${audience}/query`, byDate);
    const first = await askList('/report/statistics/video/v1/info/date');
    expect(rows.map(({ date, plays }) => ({ date, videoCount: String(plays) }))).toEqual(
      first.map(({ date, videoCount }) => ({ date, videoCount })),
    );
    expect(rows.map(({ playMs }) => String(Math.round(Number(playMs) / 1_000)))).toEqual(
      first.map(({ duration }) => duration),
    );
    const known = rows.map(({ views, viewers }) => [Number(views) > 0, viewers === views]);
    expect(known).toEqual(rows.map(() => [true, true]));
    // What was not collected yet is not known.
    const unknown = { ...byDate, filters: 'device==Unknown;viewerKind==none' };
    expect(await askList(`${audience}/query`, unknown)).toEqual(rows);
    const inUtc = { ...of, timeZone: 'UTC' };
    const byDay = await askList(`${audience}/query`, { ...inUtc, ...byDate, fill: 'zero' });
    // Peaks need to know when within a slot it was played.
    const atOnce = await askList(`${audience}/concurrency`, { ...inUtc, interval: 'day' });
    const averageOf = (ms: unknown) => (Number(ms) / dayMs).toFixed(3);
    expect(atOnce.map(({ time, average }) => [time, Number(average).toFixed(3)])).toEqual(
      byDay.map(({ date, playMs }) => [date, averageOf(playMs)]).reverse(),
    );
  }

  test('gives the answers it gave, what the journal held among them', async () => {
    const url = await start();
    const wanted = Object.fromEntries(
      Object.entries(former.answers).map(([path, answer]) => [path, withoutIds(answer)]),
    );
    // What the journal held is summed within two seconds, and does not grow later.
    const given = async () =>
      Object.fromEntries(
        Object.entries(await ask(url)).map(([path, answer]) => [path, withoutIds(answer)]),
      );
    await expect.poll(given).toEqual(wanted);
    await stop();
    expect(run('verify')).toMatchObject({ status: 0 });
    const again = await start();
    const answers = await ask(again);
    const paths = Object.keys(wanted);
    const hasAudience = paths.some((path) => path.includes('/v2/'));
    const toCompare = hasAudience ? [] : paths.filter((path) => path.includes('/info/date?'));
    for (const path of toCompare) await expectInAudience(again, path);
    await stop();
    for (const [path, answer] of Object.entries(wanted)) {
      expect(withoutIds(answers[path] ?? {})).toEqual(answer);
    }
  });

  test('is refused plainly once a later release has used its catalog', () => {
    const catalog = new SqliteFile(join(folder, 'catalog.sqlite'));
    catalog
      .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
      .run('999-later', '2030-01-01T00:00:00.000Z');
    catalog.close();
    const { status, stderr } = run('serve');
    expect(stderr).toBe(
      'playmeter serve: The catalog cannot be used: a later release used it ' +
        'and applied migration 999-later: use that one\n',
    );
    expect(status).toBe(1);
  });
});

/** Each answer has another `requestId`. */
function withoutIds(answer: Readonly<Record<string, unknown>>): unknown {
  const { data } = answer;
  if (typeof data !== 'object') return answer;
  return { ...answer, data: { ...data, requestId: undefined } };
}
