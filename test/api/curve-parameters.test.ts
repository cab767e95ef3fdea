/** What the questions for curves take, and how they say what is wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const root = '/report/statistics/video/v2';
const november = 'sdate=2026-11-01&edate=2026-11-30';

let service: TestService;
let account: TestAccount;
let accessKey: string;
let film: string;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  accessKey = await account.addVideo();
  film = await account.addVideo();
});
afterAll(() => service.stop());

async function answer(url: string) {
  const response = await service.get(root + url, account.key);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test.each([
  ['/retention?sdate=2026-11-01', ['edate', 'accessKey']],
  [`/retention?${november}&accessKey=x&parts=0`, ['parts']],
  [`/retention?${november}&accessKey=x&parts=1001`, ['parts']],
  [`/retention?${november}&accessKey=x&filters=colour==red&timeZone=Moon`, ['timeZone', 'filters']],
  [`/concurrency?${november}&filters=video==${Array(101).fill('a')}`, ['filters']],
  [`/query?${november}&measures=plays&filters=video!=${Array(101).fill('a')}`, ['filters']],
  ['/concurrency?edate=2026-11-01', ['sdate']],
  ['/concurrency?sdate=2026-11-02&edate=2026-11-01', ['sdate']],
  [`/concurrency?${november}&interval=week`, ['interval']],
  ['/concurrency?sdate=2026-11-01&edate=2026-12-02&interval=minute', ['edate']],
  [`/distribution?${november}`, ['measure']],
  [`/distribution?${november}&measure=plays&compare=never`, ['measure', 'compare']],
  [`/distribution?${november}&measure=startupMs&filters=error==3016`, ['filters']],
  ['/concurrency?sdate=2016-11-01&edate=2026-11-02', ['edate']],
])('%s is wrong in %j', async (url, parameters) => {
  const { status, body } = await answer(url);
  expect(status).toBe(400);
  expect(body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(parameters);
});

test('a video without a length says so', async () => {
  const { status, body } = await answer(`/retention?${november}&accessKey=${accessKey}`);
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    {
      parameter: 'accessKey',
      detail: `names a video without a length: set the duration of ${accessKey} first`,
    },
  ]);
});

test('what the account does not have is an empty answer', async () => {
  const other = await service.addAccount();
  const theirs = await other.addVideo();
  const changes = { durationMs: 60_000 };
  accepted(await service.catalog.videos.change(other.accountId, theirs, changes));
  for (const key of ['unknown', theirs]) {
    const retention = await answer(`/retention?${november}&accessKey=${key}`);
    expect(retention.body.data).toEqual({
      ...{ lengthMs: 0, views: 0, positionedViews: 0, averageSeen: null },
      list: [],
    });
    const concurrency = await answer(`/concurrency?${november}&accessKey=${key}`);
    expect(concurrency.body.data).toEqual({ list: [] });
  }
  const spread = await answer(`/distribution?${november}&measure=seen&accessKey=unknown`);
  expect(spread.body.data).toMatchObject({
    ...{ measure: 'seen', unit: '0 to 1', views: 0, mean: null, p50: null, p99: null },
  });
  const ofNone = { from: 0.95, to: 1, views: 0 };
  expect([spread.body.data.list.length, spread.body.data.list.at(-1)]).toEqual([20, ofNone]);
  const ofQuality = await answer(`/distribution?${november}&measure=bitrate`);
  expect(ofQuality.body.data.qualityBasis).toEqual({ attempts: 0, views: 0 });
  const unknown = await answer(`/concurrency?${november}&packageId=9007199254740991`);
  expect(unknown.body.data).toEqual({ list: [] });
});

test('CSV has the list of an answer, under the names of its members', async () => {
  const headers = { 'x-api-key': account.key, accept: 'text/csv' };
  const lines = async (url: string) => {
    const response = await service.request(root + url, { headers });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="answer.csv"');
    expect(response.headers.get('vary')).toContain('accept');
    expect(response.headers.get('complete-through')).toMatch(/Z$/);
    return (await response.text()).split('\r\n');
  };
  accepted(await service.catalog.videos.change(account.accountId, film, { durationMs: 6_000 }));
  expect(await lines(`/retention?${november}&accessKey=${film}&parts=3`)).toEqual([
    'part,fromMs,toMs,audience,watched',
    '0,0,2000,0,0',
    '1,2000,4000,0,0',
    '2,4000,6000,0,0',
    '',
  ]);
  const basisOf = async (measure: string) => {
    const url = `${root}/distribution?${november}&measure=${measure}`;
    return (await service.request(url, { headers })).headers.get('quality-basis');
  };
  expect(await basisOf('startupMs')).toBe('attempts=0, views=0');
  expect(await basisOf('playMs')).toBeNull();
  const marked = await service.request(`${root}/live?bom=1`, { headers });
  expect(Buffer.from(await marked.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from('\ufeff'));
  const days = await lines(`/concurrency?${november}&interval=day`);
  expect(days).toHaveLength(32);
  expect(days.slice(0, 2)).toEqual(['time,peak,peakAt,average', '2026-11-01,0,,0']);
  expect(await lines('/live')).toEqual(['video,videoTitle,playing', '']);
  const minutes = await lines('/live?list=lastMinutes');
  expect(minutes).toHaveLength(32);
  expect([minutes[0], minutes[1]?.split(',')[1]]).toEqual(['time,peak', '0']);
  const { status, body } = await answer('/live?list=hours');
  expect([status, body.errors[0].parameter]).toEqual([400, 'list']);
});
