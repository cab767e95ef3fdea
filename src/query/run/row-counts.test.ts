import { expect, test } from 'vitest';
import type { FactQuery } from '../../store/facts.ts';
import { mostRows } from '../../wire/questions/audience-messages.ts';
import { noCounts } from '../plan/counts.ts';
import type { AudienceDays, FactsPlan, SumsPlan } from '../plan/query-plan.ts';
import { countRows, nothingCounted } from './row-counts.ts';

const span = { fromMs: 0, untilMs: 86_400_000 };
const planned = {
  ...{ accountId: 7, spans: [span], clock: [], conditions: { sql: [], parameters: {} } },
  keys: { sql: ['country', 'device'], parameters: {}, conditions: [] },
} as const;
const sums: SumsPlan = {
  ...{ ...planned, source: 'sums', counts: ['plays', 'playMs'] },
  ...{ grouping: 'account', cover: { slots: [span], days: [] } },
};
const facts: FactsPlan = {
  ...{ ...planned, source: 'facts', counts: ['plays', 'views', 'viewers'] },
  ...{ accepted: [], overclaimed: [], mergesAll: true, lengths: [], cut: [] },
  ...{ askedAtMs: 0, distinguished: 0, passes: 1, regular: undefined, audienceDays: undefined },
};
const noKeys = { sql: [], parameters: {}, conditions: [] };

/** One answer for each statement. */
function reader(...answers: readonly (readonly object[])[]) {
  const asked: FactQuery[] = [];
  const readMany = async <Row>(query: FactQuery) => {
    asked.push(query);
    return [...(answers[asked.length - 1] ?? [])] as Row[];
  };
  return { asked, readMany };
}

const row = (country: string, device: string, plays: number, views = 0) => ({
  ...{ isTotal: 0, key0: country, key1: device },
  ...{ count_plays: String(plays), count_views: views, count_viewers: views },
});
const total = (given: object) => ({
  ...{ isTotal: 1, key0: '', key1: '', count_facts: '9', count_plays: 0 },
  ...{ count_views: 5, count_viewers: 4 },
  ...{ count_allViews: 10, count_knownViews: 7, count_namedViews: '3', ...given },
});
const basis = { named: 3, daily: 4, none: 3 };

test('rows of sums, whose sum is the total', async () => {
  const { readMany, asked } = reader([
    { key0: 'DE', key1: 7, count_plays: '2', count_playMs: 30 },
    { key0: 'FR', key1: 7, count_plays: 1, count_playMs: '4' },
  ]);
  expect(await countRows(sums, { readMany })).toEqual({
    rows: [
      { keys: ['DE', '7'], counts: { ...noCounts, plays: 2, playMs: 30 } },
      { keys: ['FR', '7'], counts: { ...noCounts, plays: 1, playMs: 4 } },
    ],
    total: { ...noCounts, plays: 3, playMs: 34 },
    basis: { named: 0, daily: 0, none: 0 },
    qualityBasis: { attempts: 0, views: 0 },
  });
  expect(asked.map(({ name }) => name)).toEqual(['query sums']);
  expect(asked[0]?.sql).toMatch(/LIMIT 100001$/);
});

test('rows of facts, whose views are told apart in the total', async () => {
  const { readMany, asked } = reader([row('DE', 'tv', 2, 4), total({}), row('FR', 'tv', 3, 3)]);
  expect(await countRows(facts, { readMany })).toEqual({
    rows: [
      { keys: ['DE', 'tv'], counts: { ...noCounts, plays: 2, views: 4, viewers: 4 } },
      { keys: ['FR', 'tv'], counts: { ...noCounts, plays: 3, views: 3, viewers: 3 } },
    ],
    total: { ...noCounts, plays: 5, views: 5, viewers: 4 },
    ...{ basis, qualityBasis: { attempts: 0, views: 0 } },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.parameters).not.toHaveProperty('passes');
});

test('what passes count is added up, row by row', async () => {
  const { readMany, asked } = reader(
    [row('DE', 'tv', 2, 4), total({})],
    [row('DE', 'tv', 0, 1), row('DE', 'mobile', 0, 2), total({ count_facts: 0 })],
  );
  expect(await countRows({ ...facts, passes: 2 }, { readMany })).toEqual({
    rows: [
      { keys: ['DE', 'tv'], counts: { ...noCounts, plays: 2, views: 5, viewers: 5 } },
      { keys: ['DE', 'mobile'], counts: { ...noCounts, views: 2, viewers: 2 } },
    ],
    total: { ...noCounts, plays: 2, views: 10, viewers: 8 },
    basis: { named: 6, daily: 8, none: 6 },
    qualityBasis: { attempts: 0, views: 0 },
  });
  const passes = asked.map(({ parameters: { pass, passes } }) => [pass, passes]);
  expect(passes).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test.each([
  [[total({ count_plays: 6 })], [{ keys: [], counts: expect.objectContaining({ plays: 6 }) }]],
  [[total({ count_facts: 0, count_plays: 6 })], []],
])('without dimensions there is one row if there is playback: of %j %j', async (read, rows) => {
  const counted = await countRows({ ...facts, keys: noKeys }, reader(read));
  expect(counted).toMatchObject({
    rows,
    basis,
    total: expect.objectContaining({ plays: 6, views: 5 }),
  });
});

test('facts of any pass make a row', async () => {
  const answers = [[total({ count_facts: 0 })], [total({ count_facts: 9 })]];
  const plan = { ...facts, keys: noKeys, passes: 2 };
  expect((await countRows(plan, reader(...answers)))?.rows).toHaveLength(1);
});

test('what is counted of nothing', async () => {
  expect(await countRows(facts, reader())).toEqual(nothingCounted);
  expect(await countRows(sums, reader())).toEqual(nothingCounted);
});

const day = { day: 0, countedAtMs: 7, marks: 0, namedViews: 0, dateFromHour: 0 };
const audienceDays: AudienceDays = {
  ...{ grouping: 'country', rowsAre: 'values', days: [day, { ...day, day: 86_400_000 }] },
  ...{ rest: [], uncounted: [], playsBeside: 0 },
};

test.each([
  [[2], 1, true],
  [[1], 1, false],
  [[undefined], 1, false],
  [[2, 0], 2, true],
  [[1, 1], 2, false],
])('days with counts, by passes %j: there are two', async (days, passes, isCounted) => {
  const answers = days.map((count_days) => [total(count_days === undefined ? {} : { count_days })]);
  const counted = await countRows({ ...facts, audienceDays, passes }, reader(...answers));
  expect(counted !== undefined).toBe(isCounted);
});

test('counts of days are read apart from the facts beside them, and kept if all are there', async () => {
  const rest = [{ fromMs: 172_800_000, untilMs: 259_200_000 }];
  const plan = { ...facts, audienceDays: { ...audienceDays, rest, uncounted: rest } };
  const ofDays = [row('DE', 'tv', 2, 4), total({ count_days: 2 })];
  const beside = (count_days: number) => [row('DE', 'tv', 3, 1), total({ count_days })];
  const { readMany, asked } = reader(ofDays, beside(2));
  const counted = await countRows(plan, { readMany });
  expect(counted?.rows).toEqual([
    { keys: ['DE', 'tv'], counts: { ...noCounts, plays: 5, views: 5, viewers: 5 } },
  ]);
  expect(counted?.total).toMatchObject({ plays: 5, views: 10, viewers: 8 });
  const areKept = (rows: readonly object[]) => asked.map((one) => one.isFinal?.(rows as never[]));
  expect(areKept(ofDays)).toEqual([true, undefined]);
  expect(areKept([total({ count_days: 1 })])).toEqual([false, undefined]);
  // Facts beside them that are of another counting.
  expect(await countRows(plan, reader(ofDays, beside(1)))).toBeUndefined();
});

test('what waits last as of a moment is not kept', async () => {
  const days = audienceDays.days.map((one) => ({ ...one, marks: 1 }));
  const plan = {
    ...facts,
    counts: ['stalledViews'] as const,
    audienceDays: { ...audienceDays, days },
  };
  const { readMany, asked } = reader([total({ count_days: 2 })]);
  await countRows(plan, { readMany });
  expect(asked.map((one) => one.isFinal)).toEqual([undefined]);
});

const manyRows = (count: number) =>
  Array.from({ length: count }, (_, index) => row(`${index}`, 'tv', 1));

test('as many rows as an answer may have', async () => {
  const counted = await countRows(facts, reader([...manyRows(mostRows), total({})]));
  expect(counted?.rows).toHaveLength(mostRows);
});

test.each([
  ['facts', facts, ' WHERE isTotal = 0'],
  ['sums', sums, ''],
])('of more rows of %s is said how many there are', async (_, plan, rowsAlone) => {
  const { readMany, asked } = reader(manyRows(mostRows + 1), [{ rows: 123_456 }]);
  await expect(countRows(plan, { readMany })).rejects.toMatchObject({
    code: 'TOO_MANY_ROWS',
    errors: [
      { parameter: 'dimensions', detail: 'would have 123456 rows; an answer has 100000 at most' },
    ],
  });
  const [first, second] = asked;
  expect(second?.name).toBe('count rows of query');
  expect(second?.parameters).toEqual(first?.parameters);
  expect(second?.sql).toMatch(/^SELECT count\(\) AS rows FROM \(\nSELECT /);
  expect(second?.sql).toMatch(new RegExp(`LIMIT 429496729[56]\\n\\)${rowsAlone}$`));
});
