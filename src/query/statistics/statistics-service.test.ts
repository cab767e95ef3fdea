/** From a question to pages, on a real catalog; the sums are what a test says. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { questionByDate } from '../../../test/support/question-by-date.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import type { FactQuery } from '../../store/facts.ts';
import type { Question } from '../parse/question.ts';
import { createTokenSealer } from '../ranges/continuation.ts';
import { createReporter, type Report, type Reporter } from './statistics-service.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const lifetimeMs = 3_600_000;
const roomForTwo = 2 * 4_096;
const path = '/report/statistics/video/v1/os';
const sealer = createTokenSealer('a secret of thirty-two characters');

const questionBySystem: Question = {
  ...questionByDate,
  statistic: 'os',
  sortData: 'os',
  sortDirection: 'asc',
  pageSize: 2,
};

let question: Question;
let accountId: number;
const clock = manualClock();
let catalog: Catalog;
/** What the store answers, in the order asked for, and when that was complete. */
let sums: { label: string; plays: number; playMs: number }[];
let completeThroughMs: number;
let queries: FactQuery[];
let reporter: Reporter;

beforeAll(async () => {
  catalog = await openCatalogAlone(clock);
  const account = await catalog.accounts.create({ name: 'an account', timeZone: 'UTC' });
  assert(account.ok, 'an account is created');
  accountId = account.value.accountId;
  question = { ...questionBySystem, accountId };
});
afterAll(() => catalog.close());
beforeEach(() => {
  clock.set(startMs);
  sums = [
    { label: 'Android', plays: 2, playMs: 3_998 },
    { label: 'iOS', plays: 3, playMs: 5_997 },
    { label: 'macOS', plays: 1, playMs: 1_999 },
  ];
  completeThroughMs = startMs - 1_500;
  queries = [];
  reporter = createReporter({
    facts: {
      async read<Row>(query: FactQuery) {
        queries.push(query);
        clock.advance(400);
        completeThroughMs += 400;
        return sums as Row[];
      },
      unsettledDays: async () => [],
      between: (_accountId, read) => read(),
      completeThrough: () => completeThroughMs,
    },
    catalog,
    sealer,
    clock,
    snapshotLifetimeMs: lifetimeMs,
    snapshotRoomBytes: roomForTwo,
  });
});
/** The page after this one. */
function next({ answer }: Report, change = {}, of = {}): Promise<Report> {
  const { requestId, nextToken } = answer.data;
  const request = { requestId, nextToken, pageSize: 2, ...change };
  return reporter.continue(request, { accountId, path, ...of });
}

const android = { os: 'Android', videoCount: '2', duration: '3' };
const iOS = { os: 'iOS', videoCount: '3', duration: '5' };
const macOS = { os: 'macOS', videoCount: '1', duration: '1' };

test('an answer is in the order of the store, and says of which moment it is', async () => {
  const report = await reporter.ask({ ...question, pageSize: 3 });
  expect(report.answer).toEqual({
    isSuccess: true,
    message: '',
    data: {
      list: [android, iOS, macOS],
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      pageSize: '3',
      nextToken: '',
    },
  });
  // Both are of before the read.
  expect(report.asOf).toEqual(new Date(startMs));
  expect(report.completeThrough).toEqual(new Date(startMs - 1_500));
  expect(queries.map(({ parameters }) => parameters.accountId)).toEqual([accountId]);
});

test('an answer of one page is not kept; a longer one is', async () => {
  const whole = await reporter.ask({ ...question, pageSize: 3 });
  expect(await catalog.snapshots.find(whole.answer.data.requestId)).toBeUndefined();
  const first = await reporter.ask(question);
  expect(first.answer.data.list).toEqual([android, iOS]);
  const expiresAt = new Date(first.asOf.getTime() + lifetimeMs);
  expect(await catalog.snapshots.find(first.answer.data.requestId)).toMatchObject({
    accountId,
    path,
    rowCount: 3,
    expiresAt,
  });
});

test.each([
  [10_000, 1],
  [10_001, 2],
])('%d values are read in %d statements', async (values, statements) => {
  sums = Array.from({ length: values }, (_, index) => ({
    label: String(index),
    plays: 1,
    playMs: 1,
  }));
  await reporter.ask(question);
  expect(queries).toHaveLength(statements);
  expect(queries.at(-1)?.sql.includes("'Other'")).toBe(statements === 2);
});

test('where nothing can be read, the answer is empty and nobody is asked', async () => {
  const { answer } = await reporter.ask({ ...question, accessKey: 'nobody' });
  expect(answer.data).toMatchObject({ list: [], nextToken: '' });
  expect(queries).toEqual([]);
});

const invalid = {
  code: 'TOKEN_INVALID',
  errors: [{ parameter: 'nextToken', detail: 'does not belong to this request' }],
};
const expired = {
  code: 'TOKEN_EXPIRED',
  errors: [{ parameter: 'nextToken', detail: 'has expired; start at the first page' }],
};

test.each([
  ['another token', { nextToken: 'abc' }, {}],
  ['another request', { requestId: 'another' }, {}],
  ['another account', {}, { accountId: 999 }],
  ['another path', {}, { path: `${path}/detail` }],
])('a token under %s is not of it', async (_name, change, of) => {
  const first = await reporter.ask(question);
  const asked = next(first, change, of);
  await expect(asked).rejects.toMatchObject(invalid);
});

test('a token lives for its time, less a moment', async () => {
  const first = await reporter.ask(question);
  clock.set(first.asOf.getTime() + lifetimeMs - 1);
  expect((await next(first)).answer.data.list).toEqual([macOS]);
  clock.advance(1);
  await expect(next(first)).rejects.toMatchObject(expired);
});

test('a token whose answer had to make room for later ones has expired', async () => {
  const asked: Report[] = [];
  for (const _ of '123') {
    asked.push(await reporter.ask(question));
    clock.advance(1);
  }
  const [first, ...later] = asked;
  assert(first, 'it was asked first');
  await expect(next(first)).rejects.toMatchObject(expired);
  for (const report of later) expect((await next(report)).answer.data.list).toEqual([macOS]);
});
