/** The audience's query and its schema over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { recordedDimensions } from '../../src/vocabulary/dimensions.ts';
import type { QueryAnswer } from '../../src/wire/questions/audience-messages.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const path = '/report/statistics/video/v2/query';
const at = '2026-11-20T10:15:30.000Z';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Site extends TestAccount {
  readonly accessKey: string;
  readonly packageId: number;
  play(view: string, playMs: number, more?: object): Promise<void>;
  ask(parameters: Record<string, string>, accept?: string): Promise<Response>;
  rows(parameters: Record<string, string>): Promise<QueryAnswer['data']>;
}

async function newSite(timeZone = 'Asia/Seoul'): Promise<Site> {
  const account = await service.addAccount(timeZone);
  const [accessKey, packageId] = [await account.addVideo(), await account.addPackage()];
  await account.publish(packageId, accessKey);
  const ask = async (parameters: Record<string, string>, accept = 'application/json') => {
    await service.facts.rollUp();
    const range = { sdate: '2026-11-20', edate: '2026-11-20', measures: 'plays' };
    const query = new URLSearchParams({ ...range, ...parameters });
    return service.request(`${path}?${query}`, {
      headers: { 'x-api-key': account.key, accept },
    });
  };
  return {
    ...account,
    accessKey,
    packageId,
    ask,
    async play(view, playMs, more = {}) {
      const beacon = { view, stretch: 0, at, playMs, accessKey, packageId, ...more };
      const sent = await service.send([beacon], { 'x-api-key': account.key });
      expect(await sent.json()).toMatchObject({ accepted: 1 });
    },
    async rows(parameters) {
      const response = await ask(parameters);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.any(String)]);
      return (JSON.parse(text) as QueryAnswer).data;
    },
  };
}

test('an answer has the rows, the totals, and how many rows there are', async () => {
  const site = await newSite();
  await site.play('one', 10_000, { position: 0, mediaMs: 20_000 });
  await site.play('two', 5_001);
  const measures = 'plays,playMs,averagePlayMs,views,viewers,mediaMs';
  const { requestId, ...data } = await site.rows({ measures, dimensions: 'video,hour' });
  const counted = { plays: 2, playMs: 15_001, averagePlayMs: 7_501, views: 2, mediaMs: 20_000 };
  const { accessKey: video } = site;
  const hour = '2026-11-20T19:00:00+09:00';
  expect(data).toEqual({
    list: [{ video, videoTitle: 'Film', hour, ...counted, viewers: expect.any(Number) }],
    totals: { ...counted, viewers: expect.any(Number) },
    viewerBasis: { named: 0, daily: expect.any(Number), none: expect.any(Number) },
    rowCount: 1,
    pageSize: 100,
    nextToken: '',
  });
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test('without dimensions there is one row, also where nothing was played', async () => {
  const site = await newSite();
  const measures = 'plays,averagePlayMs,averageSeen';
  const nothing = { plays: 0, averagePlayMs: null, averageSeen: null };
  expect(await site.rows({ measures, compare: 'previous' })).toMatchObject({
    list: [{ ...nothing, previous: null }],
    totals: { ...nothing, previous: null },
    rowCount: 1,
  });
  expect(await site.rows({ measures, dimensions: 'video' })).toMatchObject({
    list: [],
    totals: nothing,
    rowCount: 0,
  });
});

test('what rests on positions has the views that told one beside it', async () => {
  const site = await newSite();
  const change = { durationMs: 20_000 };
  accepted(await service.catalog.videos.change(site.accountId, site.accessKey, change));
  await site.play('one', 10_000, { position: 0, mediaMs: 10_000 });
  await site.play('two', 10_000);
  for (const measure of ['seenMs', 'averageSeen', 'completions', 'reached25', 'reached100']) {
    const { list, totals } = await site.rows({
      ...{ measures: measure, dimensions: 'video', compare: 'previous', fill: 'zero' },
    });
    expect(totals).toMatchObject({ positionedViews: 1, previous: null });
    expect(list).toMatchObject([{ positionedViews: 1, previous: null }]);
  }
  const { totals } = await site.rows({ measures: 'plays,mediaMs,views' });
  expect(Object.keys(totals)).toEqual(['plays', 'mediaMs', 'views']);
  // Columns are those asked for.
  const csv = await site.ask({ measures: 'averageSeen' }, 'text/csv');
  expect(await csv.text()).toMatch(/^averageSeen\r\n/);
});

test('what the account does not have is an empty answer', async () => {
  const site = await newSite();
  await site.play('one', 10);
  const empty = { list: [], rowCount: 0, totals: { plays: 0 } };
  for (const filter of [
    { filters: 'video==none' },
    { packageId: '9007199254740991' },
    { accessKey: 'none' },
    { sdate: '1900-01-01', edate: '1909-12-31' },
  ]) {
    const asked = { dimensions: 'video', ...(filter as Record<string, string>) };
    expect([filter, await site.rows(asked)]).toMatchObject([filter, empty]);
  }
});

describe('refused', () => {
  const dimensions = recordedDimensions.join(', ');
  test.each([
    [{ dimensions: 'city' }, 'dimensions', `has no dimension "city"; there are ${dimensions}`],
    [{ compare: 'before' }, 'compare', 'must be one of previous, weekdays, year'],
  ])('%j', async (parameters, parameter, detail) => {
    const site = await newSite();
    const response = await site.ask(parameters as Record<string, string>);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'INVALID_PARAMETER',
      errors: [{ parameter, detail }],
    });
  });
});

test('CSV has all rows, and no cell that a spreadsheet would take for a formula', async () => {
  const site = await newSite('UTC');
  await service.catalog.labels.create(site.accountId, 'plan');
  await site.play('one', 1_500, { labels: { plan: '=HYPERLINK("https://evil.example")' } });
  await site.play('two', 10, { labels: { plan: '-1,2' } });
  const parameters = {
    dimensions: 'date,label.plan',
    measures: 'plays,averagePlayMs',
    compare: 'previous',
    fill: 'zero',
    edate: '2026-11-21',
  };
  const response = await site.ask(parameters, 'text/csv');
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="answer.csv"');
  expect(response.headers.get('as-of')).toMatch(/Z$/);
  expect(await response.text()).toBe(
    [
      'date,label.plan,plays,averagePlayMs,previous.plays,previous.averagePlayMs',
      `2026-11-20,"'-1,2",1,10,,`,
      `2026-11-20,"'=HYPERLINK(""https://evil.example"")",1,1500,,`,
      `2026-11-21,"'-1,2",0,,,`,
      `2026-11-21,"'=HYPERLINK(""https://evil.example"")",0,,,`,
      '',
    ].join('\r\n'),
  );
});

test('CSV begins with a byte order mark where Excel is to read it', async () => {
  const site = await newSite();
  const bytesOf = async (parameters: Record<string, string>, accept = 'text/csv') =>
    Buffer.from(await (await site.ask({ measures: 'plays', ...parameters }, accept)).arrayBuffer());
  const mark = Buffer.from('\ufeff');
  expect(await bytesOf({ bom: '1' })).toEqual(Buffer.concat([mark, await bytesOf({})]));
  expect(await bytesOf({ bom: '' })).toEqual(await bytesOf({}));
  expect((await bytesOf({ bom: '1' }, 'application/json'))[0]).toBe(0x7b);
  expect((await site.ask({ measures: 'plays', bom: 'yes' })).status).toBe(400);
});

test('CSV says in headers what viewers rest on, and who made the database of countries', async () => {
  const site = await newSite();
  await site.play('one', 10, { viewer: 'ada' });
  await site.play('two', 10, { viewer: 'ada' });
  await site.play('three', 10);
  const notesOf = async (parameters: Record<string, string>, accept = 'text/csv') => {
    const { headers } = await site.ask(parameters, accept);
    return [headers.get('viewer-basis'), headers.get('country-attribution')];
  };
  const ofViewers = { measures: 'plays,viewers', dimensions: 'country' };
  const { viewerBasis } = await site.rows(ofViewers);
  const { daily, none } = viewerBasis ?? expect.fail('there are viewers');
  expect(viewerBasis).toMatchObject({ named: 2 });
  expect(await notesOf(ofViewers)).toEqual([
    `named=2, daily=${daily}, none=${none}`,
    'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0',
  ]);
  expect(await notesOf({ dimensions: 'device' })).toEqual([null, null]);
  // The JSON has the basis, and the schema the attribution.
  expect(await notesOf(ofViewers, 'application/json')).toEqual([null, null]);
});
