/**
 * Views that are counted by their plays, beside those that are told apart: each way in which a play
 * may not tell all, before the days are checked, after, and when more of a view came in between.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import type { Fact, FactDetails } from '../../src/store/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pace: { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 } });
  // The first turn, at the start, may still be under way.
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const named = String((2n << 62n) + 1n);
const daily = String((1n << 62n) + 1n);
const of = (browser: string, viewer?: string): { details: FactDetails } => ({
  details: { startMs: 0, laterMs: 0, mediaMs: 0, viewer, attributes: { browser } },
});
const chrome = of('Chrome', named);
const play = { plays: 1, ...chrome };
const onward = { stretch: 1, ...chrome };
const onNextDay = { ...onward, slotStart: day + dayMs };
const other = { view: 'other' };

interface Case {
  readonly what: string;
  readonly first: readonly Partial<Fact>[];
  /** After the check. */
  readonly late: readonly Partial<Fact>[];
  /** Of both days: views and viewers in all, and views by browser. */
  readonly views: number;
  readonly viewers: number;
  readonly byBrowser: Readonly<Record<string, number>>;
  /** Of the second day alone. */
  readonly viewsOfNextDay: number;
  readonly isRare?: boolean;
}

const cases: readonly Case[] = [
  {
    what: 'nothing more came',
    isRare: true,
    first: [play, onward, { ...play, ...other }],
    late: [],
    ...{ views: 2, viewers: 1, byBrowser: { Chrome: 2 }, viewsOfNextDay: 0 },
  },
  {
    what: 'a view went on, on the next day',
    first: [play],
    late: [onNextDay],
    ...{ views: 1, viewers: 1, byBrowser: { Chrome: 1 }, viewsOfNextDay: 1 },
  },
  {
    what: 'its play came late, on the day before',
    first: [onNextDay],
    late: [play],
    ...{ views: 1, viewers: 1, byBrowser: { Chrome: 1 }, viewsOfNextDay: 1 },
  },
  {
    what: 'the first stretch was reported with two beginnings',
    isRare: true,
    first: [play],
    late: [{ ...play, slotStart: day + dayMs }],
    ...{ views: 1, viewers: 1, byBrowser: { Chrome: 1 }, viewsOfNextDay: 1 },
  },
  {
    what: 'it went on in another browser, without a viewer',
    first: [play],
    late: [{ ...onward, slotStart: day + slotMs, ...of('Firefox') }],
    ...{ views: 1, viewers: 1, byBrowser: { Firefox: 1 }, viewsOfNextDay: 0 },
  },
  {
    what: 'another view of the viewer came on the next day',
    isRare: true,
    first: [play],
    late: [{ ...play, ...other, slotStart: day + dayMs }],
    ...{ views: 2, viewers: 1, byBrowser: { Chrome: 2 }, viewsOfNextDay: 1 },
  },
  {
    what: 'nobody knows the viewers',
    isRare: true,
    first: [
      { ...play, ...of('Chrome') },
      { ...play, ...other, ...of('Chrome') },
    ],
    late: [{ ...onNextDay, ...of('Chrome') }],
    ...{ views: 2, viewers: 2, byBrowser: { Chrome: 2 }, viewsOfNextDay: 1 },
  },
  {
    what: 'a viewer of a day has two views',
    first: [
      { ...play, ...of('Chrome', daily) },
      { ...play, ...other, ...of('Firefox', daily) },
    ],
    late: [],
    ...{ views: 2, viewers: 1, byBrowser: { Chrome: 1, Firefox: 1 }, viewsOfNextDay: 0 },
  },
  {
    what: 'a view of the next day has no play',
    isRare: true,
    first: [play],
    late: [{ ...onNextDay, ...other }],
    ...{ views: 2, viewers: 1, byBrowser: { Chrome: 2 }, viewsOfNextDay: 1 },
  },
];

const ids: Record<string, string> = { one: randomUUID(), other: randomUUID() };

/** Each in an account of its own: one roll-up and one check serve all. */
async function expectCounted(asked: readonly Case[], otherwise: readonly number[]): Promise<void> {
  const added = asked.map(async (one) => ({ ...one, ...(await service.addAccount('UTC')) }));
  const ofAccounts = await Promise.all(added);
  const write = async (part: 'first' | 'late') => {
    const facts = ofAccounts.flatMap(({ accountId, [part]: parts }) =>
      parts.map(({ view = 'one', ...fact }) => ({
        ...{ accountId, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
        ...{ stretch: 0, suspect: '', plays: 0, playMs: 1_000, view: ids[view] ?? '', ...fact },
      })),
    );
    await service.facts.stretches.write(facts);
    await service.facts.rollUp();
  };
  const expectAnswers = async (leastPlaysOfRegular: number) => {
    for (const { accountId, what, views, viewers, byBrowser, viewsOfNextDay } of ofAccounts) {
      const ask = async (sdate: string, by: object) => {
        const question = { sdate, edate: '2026-10-06', measures: 'views,viewers', ...by };
        const query = readQuery(question, { accountId, timeZone: 'UTC', labels: new Map() });
        const { facts, catalog } = service;
        return answerQuery(query, day + 9 * dayMs, { facts, catalog, leastPlaysOfRegular });
      };
      const { rows, totals } = await ask('2026-10-05', { dimensions: 'browser' });
      const nextDay = await ask('2026-10-06', {});
      const counted = rows.map(({ browser, views: ofBrowser }) => [browser, ofBrowser]);
      expect({
        ...{ what, ...totals, byBrowser: Object.fromEntries(counted) },
        viewsOfNextDay: nextDay.totals.views,
      }).toEqual({ what, views, viewers, byBrowser, viewsOfNextDay });
    }
  };
  await write('first');
  await service.facts.checkViews();
  await write('late');
  await expectAnswers(0);
  await service.facts.checkViews();
  for (const leastPlays of [0, ...otherwise]) await expectAnswers(leastPlays);
}

test('a view is told apart where its play does not tell all', () =>
  expectCounted(
    cases.filter(({ isRare }) => !isRare),
    [],
  ));

test('so are rarer ones, counted by plays or all told apart', { tags: 'long' }, () =>
  expectCounted(cases, [2 ** 40]),
);
