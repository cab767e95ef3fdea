/** Rows of a question are typed by what was asked for. */
import { expect, expectTypeOf, test } from 'vitest';
import { Playmeter } from './src/index.ts';

const asked: string[] = [];
const client = new Playmeter({
  url: 'http://media.example.com',
  key: 'k',
  fetch: async (url) => {
    asked.push(decodeURIComponent(String(url)));
    const data = { list: [{ plays: 1 }], totals: { plays: 1 }, rowCount: 2, pageSize: 1 };
    const nextToken = asked.length === 1 ? 'more' : '';
    const body = { isSuccess: true, message: '', data: { ...data, requestId: 'r', nextToken } };
    return new Response(JSON.stringify(body));
  },
});
const range = { sdate: '2026-11-01', edate: '2026-11-30' } as const;

test('the first page has the totals, and all pages together every row', async () => {
  const pages = client.statistics.query({
    ...range,
    measures: ['plays', 'averagePlayMs'],
    dimensions: ['video', 'label.plan'],
    sort: ['-plays', 'video'],
    pageSize: 1,
  });
  const first = await pages;
  expect(first).toMatchObject({ totals: { plays: 1 }, rowCount: 2 });
  expect(first).not.toHaveProperty('pageSize');
  const rows = [];
  for await (const row of pages) rows.push(row);
  expect(rows).toHaveLength(2);
  const path = 'http://media.example.com/report/statistics/video/v2/query?';
  const lists = 'measures=plays,averagePlayMs&dimensions=video,label.plan&sort=-plays,video';
  expect(asked[0]).toBe(`${path}sdate=2026-11-01&edate=2026-11-30&pageSize=1&${lists}`);
  expect(asked[1]).toBe(`${path}requestId=r&nextToken=more&pageSize=1`);
});

test('types', () => {
  const ask = client.statistics.query;
  type RowsOf<Pages> = Pages extends AsyncIterable<infer Row> ? Row : never;
  const plain = () =>
    ask({ ...range, measures: ['plays', 'averagePlayMs'], dimensions: ['video'] });
  type Plain = RowsOf<ReturnType<typeof plain>>;
  expectTypeOf<Plain['plays']>().toEqualTypeOf<number>();
  expectTypeOf<Plain['averagePlayMs']>().toEqualTypeOf<number | null>();
  expectTypeOf<Plain['video']>().toEqualTypeOf<string>();
  expectTypeOf<Plain['videoTitle']>().toEqualTypeOf<string>();
  expectTypeOf<Plain>().not.toHaveProperty('playMs');
  expectTypeOf<Plain>().not.toHaveProperty('previous');
  const compared = () =>
    ask({ ...range, measures: ['views'], dimensions: ['package', 'label.x'], compare: 'year' });
  type Compared = RowsOf<ReturnType<typeof compared>>;
  expectTypeOf<Compared['package']>().toEqualTypeOf<number>();
  expectTypeOf<Compared['label.x']>().toEqualTypeOf<string>();
  expectTypeOf<NonNullable<Compared['previous']>['views']>().toEqualTypeOf<number>();
  // @ts-expect-error There is no such measure.
  const unknown = () => ask({ ...range, measures: ['clicks'] });
  // @ts-expect-error It is not asked for.
  const unsortable = () => ask({ ...range, measures: ['plays'], sort: ['-playMs'] });
  expect([unknown, unsortable]).toHaveLength(2);
});
