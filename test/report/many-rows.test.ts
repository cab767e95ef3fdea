/** The largest answer there is, and one row more: real rows, from a real store. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextTurn } from '../../src/lib/tasks/fair-turns.ts';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import { planQuery } from '../../src/query/planner.ts';
import { localSpans } from '../../src/query/ranges/local-days.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import { countRows } from '../../src/query/run/row-counts.ts';
import type { Fact, FactReader } from '../../src/store/facts.ts';
import { mostRows, type QueryAnswer } from '../../src/wire/questions/audience-messages.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const path = '/report/statistics/video/v2/query';
const slotStart = Date.UTC(2026, 10, 20, 10);
const factsOfWrite = 10_000;

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const { accountId } = account;
  const videoId = await service.catalog.publications.findVideoId(accountId, accessKey);
  const played = (index: number): Fact => ({
    ...{ accountId, slotStart, packageId, videoId: videoId ?? 0, os: 'iOS', osVersion: '1' },
    ...{ view: randomUUID(), stretch: 0, suspect: '', plays: 1, playMs: index },
    details: {
      ...{ startMs: slotStart, laterMs: 0, mediaMs: 0 },
      attributes: { host: 'example.com', page: `example.com/${index}` },
    },
  });
  for (let from = 0; from <= mostRows; from += factsOfWrite) {
    const count = Math.min(factsOfWrite, mostRows + 1 - from);
    const facts = Array.from({ length: count }, (_, index) => played(from + index));
    await service.facts.stretches.write(facts);
  }
  await service.facts.rollUp();
});
afterAll(() => service.stop());

function ask(parameters: Record<string, string>, accept = 'application/json'): Promise<Response> {
  const given = { sdate: '2026-11-20', edate: '2026-11-20', measures: 'plays,playMs' };
  const query = new URLSearchParams({ ...given, dimensions: 'host,page', ...parameters });
  const headers = { 'x-api-key': account.key, accept };
  return service.request(`${path}?${query}`, { headers });
}

test('so many facts are not all merged while they are read, few are', async () => {
  const range = { accountId: account.accountId, fromMs: slotStart, untilMs: slotStart + 900_000 };
  expect(await service.facts.countedWithin(range)).toMatchObject({ mergesAll: false });
  const before = { ...range, fromMs: slotStart - 900_000, untilMs: slotStart };
  expect(await service.facts.countedWithin(before)).toMatchObject({ mergesAll: true });
  const other = { ...range, accountId: range.accountId + 1 };
  expect(await service.facts.countedWithin(other)).toMatchObject({ mergesAll: true });
});

const allButOne = 'page!=example.com/0';
const sumOfAll = (mostRows * (mostRows + 1)) / 2;

test('one row too many is refused, with how many there would be', async () => {
  const response = await ask({});
  expect(response.status).toBe(400);
  const detail = `would have ${mostRows + 1} rows; an answer has ${mostRows} at most`;
  expect(await response.json()).toMatchObject({
    code: 'TOO_MANY_ROWS',
    detail: `The answer ${detail}`,
    errors: [{ parameter: 'dimensions', detail }],
  });
});

test('beside a measure that does not add up, its total is no row', async () => {
  expect(await (await ask({ measures: 'viewers' })).json()).toMatchObject({
    code: 'TOO_MANY_ROWS',
    detail: `The answer would have ${mostRows + 1} rows; an answer has ${mostRows} at most`,
  });
});

test('as many rows as there may be, and others are answered meanwhile', async () => {
  const parameters = { filters: allButOne, sort: '-page', pageSize: '1000' };
  const asked = Promise.all([ask(parameters), ask(parameters, 'text/csv').then(textOf)]);
  let isDone = false;
  asked.finally(() => {
    isDone = true;
  });
  let answered = 0;
  for (; !isDone; answered += 1) {
    const healthy = await service.request('/healthz');
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }]);
  }
  const [response, csv] = await asked;
  const { data } = (await response.json()) as QueryAnswer;
  expect(data).toMatchObject({ rowCount: mostRows, totals: { plays: mostRows, playMs: sumOfAll } });
  expect(data.list[0]).toMatchObject({ page: 'example.com/99999', playMs: 99_999 });
  expect(csv.split('\r\n')).toHaveLength(mostRows + 2);
  expect(answered).toBeGreaterThan(10);
});

test('they are counted, labelled, ordered and shown in portions, a turn of the event loop each', async () => {
  const day = '2026-11-20';
  const given = { sdate: day, edate: day, measures: 'playMs', dimensions: 'host,page' };
  const asker = { ...account, labels: new Map<string, number>() };
  const request = { ...given, filters: allButOne };
  const query = readQuery(request, asker);
  const plan = await planQuery(query, localSpans(day, day, 'UTC'), service);
  const portions = mostRows / 2_000 - 1;
  expect(await turnsAfterRead((facts) => countRows(plan, facts))).toBeGreaterThanOrEqual(portions);
  const answering = (facts: FactReader) =>
    answerQuery(query, Date.now(), { facts, catalog: service.catalog });
  expect(await turnsAfterRead(answering)).toBeGreaterThanOrEqual(4 * portions);
});

/** Turns of the event loop since the store's last answer was there. */
async function turnsAfterRead(work: (facts: FactReader) => Promise<unknown>): Promise<number> {
  let turns = 0;
  const readMany: FactReader['readMany'] = async (query) => {
    const rows = await service.facts.readMany(query);
    turns = 0;
    return rows as never;
  };
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  await work({ ...service.facts, readMany });
  const taken = turns;
  isDone = true;
  await counting;
  return taken;
}

function textOf(response: Response): Promise<string> {
  return response.text();
}
