import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { addAccount } from '../../../test/support/catalogs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Catalog, RuleTerms } from '../../catalog/catalog.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import type { Filter } from '../../query/parse/filter-parser.ts';
import type { Query } from '../../query/parse/query.ts';
import type { WholeAnswer } from '../../query/run/query-run.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';
import { judgeRules, type RuleEvaluationParts } from './rule-evaluation.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Friday, 20 November 2026. */
const midnightMs = Date.UTC(2026, 10, 20);
const graceMs = 2 * minuteMs;
const clock = manualClock(midnightMs);

let catalog: Catalog;
let accountId: number;
/** What is found next; an error is thrown. */
let value: number | null | Error;
let isErased: (query: Query) => boolean;
let isPlaying: boolean;
let completeMs: number;
let queries: Query[] = [];
let playbackFilters: (readonly Filter[])[] = [];
const warnings: string[] = [];
beforeAll(async () => {
  catalog = await openCatalogAlone(clock);
});
afterAll(() => catalog.close());
beforeEach(async () => {
  clock.set(midnightMs);
  for (const rule of await catalog.rules.after(0)) accepted(await catalog.rules.delete(rule));
  accountId = await addAccount(catalog);
  [value, isPlaying, completeMs] = [0, true, midnightMs];
  isErased = () => false;
  queries = [];
  playbackFilters = [];
  warnings.length = 0;
});

const create = async (terms: RuleTerms, packageIds?: readonly number[]) =>
  accepted(
    await catalog.rules.create({
      ...{ accountId, name: 'Watch', terms, packageIds, url: 'https://hooks.example.com' },
      ...{ sealedSecret: Buffer.from('sealed'), mailTo: [] },
    }),
  );

const now = () => ({ asOf: new Date(clock.now()), completeThrough: new Date(completeMs) });

/** One round, when everything before an instant is complete. */
async function judgeAt(throughMs: number): Promise<void> {
  clock.set(throughMs);
  completeMs = throughMs;
  const parts: RuleEvaluationParts = {
    ...{ catalog, clock, facts: { completeThrough: () => completeMs } },
    queryService: {
      async askWhole(query) {
        queries.push(query);
        if (value instanceof Error) throw value;
        if (isErased(query)) throw new Fault('INVALID_PARAMETER', 'sdate: erased');
        const { firstDay, lastDay, measures, dimensions } = query;
        const measured = Object.fromEntries(measures.map((name) => [name, value]));
        const names = dimensions.includes('os')
          ? ['iOS', 'Android', 'Windows'].map((os) => ({ os }))
          : Array.from({ length: 24 }, (_, hour) => {
              return { hour: new Date(Date.parse(lastDay) + hour * hourMs).toISOString() };
            });
        const rows = names.map((name) => ({ ...name, ...measured }));
        const totals = { ...measured, plays: Number(firstDay.slice(-2)) };
        const viewerBasis = { named: 1, daily: 2, none: 3 };
        return { ...({ rows, totals, viewerBasis } as WholeAnswer), ...now() };
      },
    },
    curves: {
      async playback({ filters }) {
        playbackFilters.push(filters);
        return { data: isPlaying, ...now() };
      },
    },
    logger: pino({}, { write: (line) => void warnings.push(JSON.parse(line).msg) }),
  };
  await judgeRules(parts);
}

async function judged() {
  const rules = await catalog.rules.after(0);
  return rules.map(({ isFiring, judgedThrough }) => [isFiring, judgedThrough.getTime()]);
}

async function messages() {
  const list = await catalog.deliveries.list(accountId, {});
  const whole = list.map(({ deliveryId }) => catalog.deliveries.find({ accountId, deliveryId }));
  return (await Promise.all(whole)).map((one) => JSON.parse(one?.body ?? '')).reverse();
}

const average: RuleTerms = {
  ...{ kind: 'threshold', measure: 'averagePlayMs', per: 'hour', above: null, below: 1_000 },
  filters: null,
};

test('an alert whose value cannot be judged stays as it is, and the hour counts as judged', async () => {
  await create(average);
  const endOf = (hour: number) => midnightMs + hour * hourMs;
  const found = [
    [null, false],
    [999, true],
    [null, true],
    [1_000, false],
    [null, false],
  ] as const;
  for (const [index, [given, isFiring]] of found.entries()) {
    value = given;
    await judgeAt(endOf(index + 1) + graceMs);
    expect(await judged()).toEqual([[isFiring, endOf(index + 1)]]);
  }
  expect(await messages()).toMatchObject([
    { type: 'alert.firing', data: { value: 999, to: '2026-11-20T02:00:00.000Z' } },
    { type: 'alert.resolved', data: { value: 1_000, to: '2026-11-20T04:00:00.000Z' } },
  ]);
});

test('an hour is judged once, when players have had two minutes after it', async () => {
  await create(average);
  await judgeAt(midnightMs + hourMs + graceMs - 1);
  expect(queries).toEqual([]);
  expect(await judged()).toEqual([[false, midnightMs]]);
  await judgeAt(midnightMs + hourMs + graceMs);
  await judgeAt(midnightMs + 2 * hourMs);
  expect(await judged()).toEqual([[true, midnightMs + hourMs]]);
  expect(queries).toHaveLength(1);
  expect(await messages()).toHaveLength(1);
});

test('of one that cannot be read nothing is concluded, and the others are judged', async () => {
  await create(average);
  await create({ kind: 'silence', minutes: 5, filters: null });
  value = new Fault('UNAVAILABLE', 'away');
  isPlaying = false;
  await judgeAt(midnightMs + hourMs + graceMs);
  expect(warnings).toEqual(['rule is not judged yet, trying again']);
  expect(await judged()).toEqual([
    [false, midnightMs],
    [true, midnightMs + hourMs + graceMs],
  ]);
  value = 0;
  await judgeAt(midnightMs + hourMs + graceMs + minuteMs);
  expect((await judged())[0]).toEqual([true, midnightMs + hourMs]);
});

test('silence is judged up to the last whole minute, and noted where it changes', async () => {
  await create({ kind: 'silence', minutes: 30, filters: null });
  await judgeAt(midnightMs + hourMs + 59_999);
  expect(await judged()).toEqual([[false, midnightMs]]);
  isPlaying = false;
  await judgeAt(midnightMs + hourMs + 59_999);
  expect(await judged()).toEqual([[true, midnightMs + hourMs]]);
  await judgeAt(midnightMs + 2 * hourMs);
  expect(await judged()).toEqual([[true, midnightMs + hourMs]]);
  isPlaying = true;
  await judgeAt(midnightMs + 3 * hourMs);
  const [from, to] = ['2026-11-20T00:30:00.000Z', '2026-11-20T01:00:00.000Z'];
  expect(await messages()).toMatchObject([
    { type: 'alert.firing', data: { from, to, value: null, expected: null } },
    { type: 'alert.resolved', data: { to: '2026-11-20T03:00:00.000Z' } },
  ]);
});

const weekly: ReportTerms = {
  ...{ kind: 'report', every: 'week', weekday: 1, hour: 0, measures: ['plays', 'playMs'] },
  ...{ dimension: 'os', top: 2, filters: 'os!=Windows' },
};

test('a report has the totals of its week and of the week before, and the first rows', async () => {
  await create(weekly);
  const endMs = Date.UTC(2026, 10, 23);
  value = 7;
  await judgeAt(endMs + graceMs - 1);
  expect(await messages()).toEqual([]);
  await judgeAt(endMs + graceMs);
  await judgeAt(endMs + hourMs);
  expect(await judged()).toEqual([[false, endMs]]);
  expect(await messages()).toMatchObject([
    {
      type: 'report.ready',
      timestamp: new Date(endMs + graceMs).toISOString(),
      data: {
        ...{ sdate: '2026-11-16', edate: '2026-11-22', totals: { plays: 16, playMs: 7 } },
        viewerBasis: { named: 1, daily: 2, none: 3 },
        previous: { sdate: '2026-11-09', edate: '2026-11-15', totals: { plays: 9, playMs: 7 } },
        list: [
          { os: 'iOS', plays: 7, playMs: 7, previous: { plays: 7, playMs: 7 } },
          { os: 'Android', plays: 7, playMs: 7 },
        ],
      },
    },
  ]);
  expect(queries.map(({ filters }) => filters.length)).toEqual([1, 1, 1]);
  expect(queries.at(-1)).toMatchObject({
    ...{ firstDay: '2026-11-09', lastDay: '2026-11-22', fillZero: true },
    ...{ measures: ['plays'], dimensions: ['date'] },
  });
});

test('a report goes without what is erased of the period before', async () => {
  await create(weekly);
  value = 5;
  isErased = ({ firstDay, dimensions }) => firstDay < '2026-11-16' && dimensions.length > 0;
  await judgeAt(midnightMs + 4 * 24 * hourMs);
  const [{ data }] = await messages();
  expect(data.previous.totals).toMatchObject({ playMs: 5 });
  expect(data.list[0]).toMatchObject({ playMs: 5, previous: null });
  expect(data.days).not.toEqual([]);
});

test('without a dimension a report has no rows', async () => {
  await create({ ...weekly, dimension: null });
  await judgeAt(Date.UTC(2026, 10, 23) + graceMs);
  expect(await messages()).toMatchObject([{ data: { list: [], totals: { plays: 16 } } }]);
});

test('alerts of a member who is narrowed are judged by their packages alone', async () => {
  await create(average, [3, 7]);
  await create({ kind: 'silence', minutes: 30, filters: null }, [3, 7]);
  await judgeAt(midnightMs + hourMs + graceMs);
  const pin = { dimension: 'package', operator: '==', values: ['3', '7'] };
  const asked = [...queries.map(({ filters }) => filters), ...playbackFilters];
  expect(asked).toEqual([expect.arrayContaining([pin]), [pin]]);
});

test('of an account that is closed nothing is judged', async () => {
  await create(average);
  value = 999;
  accepted(await catalog.accounts.close(accountId));
  await judgeAt(midnightMs + hourMs + graceMs);
  expect(queries).toEqual([]);
  accepted(await catalog.accounts.reopen(accountId));
  await judgeAt(midnightMs + hourMs + graceMs);
  expect(await messages()).toMatchObject([{ type: 'alert.firing' }]);
});
