/** The client against the real service. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../test/support/service.ts';
import { type Beacon, Playmeter, PlaymeterError } from './src/index.ts';

const range = { sdate: '2026-03-01', edate: '2026-03-31' };
let service: TestService;
let account: TestAccount;
let client: Playmeter;

beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  client = new Playmeter({ url: service.url, key: account.key });
  await client.beacons.send(await playsOfMarch());
  await service.facts.rollUp();
});
afterAll(() => service.stop());

/** A play of ten seconds on each day of March. */
async function playsOfMarch(): Promise<Beacon[]> {
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  return Array.from({ length: 31 }, (_, day) => ({
    view: randomUUID(),
    stretch: 0,
    at: `2026-03-${String(day + 1).padStart(2, '0')}T12:00:00Z`,
    playMs: 10_000,
    videoKey,
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0.0.0 Mobile Safari/537.36',
  }));
}

async function failureOf(call: Promise<unknown>): Promise<PlaymeterError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlaymeterError);
  return error as PlaymeterError;
}

describe('statistics', () => {
  test('the same answers as CSV, each whole', async () => {
    const { csv } = client.statistics;
    const question = { ...range, measures: ['plays', 'playMs'], dimensions: ['date'] } as const;
    const lines = (await csv.query(question)).split('\r\n');
    expect(lines).toHaveLength(33);
    expect(lines.slice(0, 2)).toEqual(['date,plays,playMs', '2026-03-01,1,10000']);
    const days = (await csv.concurrency({ ...range, interval: 'day' })).split('\r\n');
    expect([days.length, days[0]]).toEqual([33, 'time,peak,peakAt,average']);
    const curve = await csv.retention({ ...range, accessKey: 'unknown' });
    expect(curve).toBe('part,fromMs,toMs,audience,watched\r\n');
    expect(await csv.live()).toBe('video,videoTitle,playing\r\n');
    expect(await csv.live({ list: 'lastMinutes' })).toMatch(/^time,peak\r\n/);
    expect(await failureOf(csv.query({ ...question, sdate: 'x' }))).toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });

  test('the first page, with when it was true', async () => {
    const page = await client.statistics.date({ ...range, pageSize: 2 });
    expect(page.rows).toEqual([
      { date: '2026-03-31', videoCount: '1', duration: '10' },
      { date: '2026-03-30', videoCount: '1', duration: '10' },
    ]);
    expect(page.completeThrough.getTime()).toBeLessThanOrEqual(page.asOf.getTime());
    expect(page.nextToken).not.toBe('');
  });

  test('all rows of all pages, each once and in order', async () => {
    const dates: string[] = [];
    const question = { ...range, pageSize: 7, sortDirection: 'asc' } as const;
    for await (const row of client.statistics.date(question)) dates.push(row.date);
    expect(dates).toHaveLength(31);
    expect(dates).toEqual([...new Set(dates)].sort());
  });

  test('pages are of the size asked for, and of one answer', async () => {
    const sizes: number[] = [];
    const answers = new Set<string>();
    for await (const page of client.statistics.date({ ...range, pageSize: 10 }).pages()) {
      sizes.push(page.rows.length);
      answers.add(page.requestId);
    }
    expect(sizes).toEqual([10, 10, 10, 1]);
    expect(answers.size).toBe(1);
  });

  test('a page can be left before the end', async () => {
    const page = await client.statistics.date({ ...range, pageSize: 30 });
    const last = await page.next();
    expect(last?.rows).toHaveLength(1);
    expect(await last?.next()).toBeUndefined();
  });

  test('hours, systems and their versions', async () => {
    const hours = await client.statistics.hour({ date: '2026-03-05' });
    expect(hours.rows).toEqual([
      { date: '2026-03-05', hour: '12', videoCount: '1', duration: '10' },
    ]);
    const [system] = (await client.statistics.os(range)).rows;
    expect(system).toEqual({ os: 'Android', videoCount: '31', duration: '310' });
    const versions = await client.statistics.osDetail({ ...range, os: system?.os ?? '' });
    expect(versions.rows[0]).toMatchObject({ os: 'Android', detail: '15', videoCount: '31' });
  });

  test('curves: how far, how many at once, and now', async () => {
    const { list } = await client.statistics.concurrency({ ...range, interval: 'day' });
    expect(list[4]).toEqual({
      ...{ time: '2026-03-05', peak: 1, average: 0 },
      peakAt: '2026-03-05T12:00:00.000+00:00',
    });
    const unknown = await client.statistics.retention({ ...range, accessKey: 'unknown' });
    expect(unknown).toMatchObject({ views: 0, averageSeen: null, list: [] });
    const live = await client.statistics.live();
    expect(live).toMatchObject({ playing: 0, videos: [] });
    expect(live.lastMinutes).toHaveLength(30);
  });
});

describe('beacons', () => {
  test('need no key, and are refused one by one', async () => {
    const anonymous = new Playmeter({ url: `${service.url}/` });
    const beacon = { view: 'v', stretch: 0, at: '2026-03-01T00:00:00Z', playMs: 1 };
    const answer = await anonymous.beacons.send([{ ...beacon, videoKey: 'unknown' }]);
    expect(answer.accepted).toBe(0);
    expect(answer.rejected[0]).toMatchObject({ index: 0, code: 'UNKNOWN_VIDEO' });
  });
});

describe('errors', () => {
  test('name every bad parameter', async () => {
    const question = { sdate: '2026-02-30', edate: 'x', pageSize: 0 };
    const error = await failureOf(client.statistics.date(question));
    expect(error).toMatchObject({ code: 'INVALID_PARAMETER', status: 400 });
    expect(error.errors.map(({ parameter }) => parameter)).toEqual(['sdate', 'edate', 'pageSize']);
  });

  test('an unknown key', async () => {
    const stranger = new Playmeter({ url: service.url, key: 'pm_unknown' });
    expect(await failureOf(stranger.statistics.os(range))).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
    });
  });

  test('reach who iterates', async () => {
    const rows = client.statistics.date({ ...range, sdate: 'x' })[Symbol.asyncIterator]();
    expect((await failureOf(rows.next())).code).toBe('INVALID_PARAMETER');
  });

  test('an answer that is not of Playmeter', async () => {
    const fetch = async () => new Response('<h1>Welcome</h1>');
    const error = await failureOf(new Playmeter({ url: service.url, fetch }).statistics.os(range));
    expect(error).toMatchObject({ code: 'UNREADABLE', status: 200 });
  });
});

describe('a page of the service', () => {
  /** As a browser sends it, with its cookies. */
  function browse(more: Record<string, string>) {
    let cookie = '';
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const headers = { ...init?.headers, ...more, ...(cookie && { cookie }) };
      const typed = init?.body ? { ...headers, 'content-type': 'application/json' } : headers;
      const response = await globalThis.fetch(input, { ...init, headers: typed });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return response;
    };
    return (key?: string) => new Playmeter({ url: service.url, fetch, ...(key && { key }) });
  }

  test('signs in with a key, asks without it, and signs out', async () => {
    const connect = browse({ 'x-requested-with': 'playmeter' });
    expect(await connect().dashboard.signedIn()).toBeUndefined();
    const { accountId } = account;
    expect(await connect(account.key).dashboard.signIn()).toMatchObject({ accountId });
    expect(await connect().dashboard.signedIn()).toMatchObject({ accountId });
    expect((await connect().statistics.date(range)).rows).toHaveLength(30);
    await connect().dashboard.signOut();
    const link = await failureOf(connect().dashboard.signIn({ link: 'none' }));
    expect(link.code).toBe('UNAUTHENTICATED');
  });

  test('of a share reads what it shows', async () => {
    const { path } = await client.manage.addShare({ name: 'A week', lastDays: 7 });
    const token = path.replace('/shared/', '').replace('#', '');
    const reader = browse({ 'x-playmeter-share': token })();
    expect(await reader.dashboard.sharedView()).toMatchObject({ name: 'A week', video: null });
  });
});
