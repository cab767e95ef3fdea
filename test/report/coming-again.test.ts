/** Views and viewers of counted days who come again on a day that is not counted yet. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import type { Retention } from '../../src/wire/questions/curves.ts';
import { describeKinds } from '../support/each-kind.ts';
import { type ServiceKind, type StartedService, serviceKinds } from '../support/service-kinds.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);
const views = Array.from({ length: 6 }, () => randomUUID());
/** Of each video. */
const filmMs = 10_000;
const daily = (number: number) => String((1n << 62n) + BigInt(number));

/** On which day, of which view and viewer, and whether it has the view's play; else it goes on. */
type Part = readonly [dayIndex: number, view: number, viewer: string | undefined, plays: 0 | 1];

const all = { plays: 4, views: 4, viewers: 3 };
const cases: readonly (readonly [string, readonly Part[], typeof all])[] = [
  ['a view that goes on', [[1, 0, undefined, 0]], { plays: 3, views: 3, viewers: 3 }],
  ['a view that goes on weeks later', [[20, 0, undefined, 0]], { plays: 3, views: 3, viewers: 3 }],
  ['a viewer of a day with another view', [[1, 3, daily(1), 1]], all],
  [
    'a viewer of a day with a view that goes on',
    [[1, 1, daily(1), 0]],
    { ...all, plays: 3, views: 3 },
  ],
  ['another viewer', [[1, 3, daily(9), 1]], { ...all, viewers: 4 }],
];

/** What random questions show as well (audience-days). */
const longKinds = serviceKinds.map((kind): ServiceKind => ({ ...kind, tags: ['long'] }));

describeKinds(longKinds, 'on $name', (kind) => {
  let started: StartedService;
  const played = new Map<string, Awaited<ReturnType<typeof addPlayed>>>();
  beforeAll(async () => {
    started = await kind.start({ pace: { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 } });
    const { facts } = started.service;
    await facts.rollUp();
    for (const [name] of cases) played.set(name, await addPlayed());
    // Of all cases at once: what is summed and checked together costs no more than one of them.
    const write = async (partsOf: (later: readonly Part[]) => readonly Part[]) => {
      const all = cases.flatMap(([name, later]) => played.get(name)?.factsOf(partsOf(later)) ?? []);
      await facts.stretches.write(all);
      await facts.rollUp();
    };
    await write(() => [
      [0, 0, undefined, 1],
      [0, 1, daily(1), 1],
      [0, 2, daily(2), 1],
    ]);
    await facts.checkViews();
    await write((later) => later);
  });
  afterAll(() => started?.stop());

  async function addPlayed() {
    const { catalog, addAccount } = started.service;
    const account = await addAccount('UTC');
    const { accountId, key } = account;
    const accessKey = await account.addVideo(filmMs);
    const packageId = await account.addPackage();
    await account.publish(packageId, accessKey);
    const videoId = (await catalog.publications.findVideoId(accountId, accessKey)) ?? 0;
    const factsOf = (parts: readonly Part[]) =>
      parts.map(([dayIndex, view, viewer, plays]) => ({
        ...{ accountId, packageId, videoId, slotStart: day + dayIndex * dayMs, suspect: '' },
        ...{ os: 'iOS', osVersion: '18', view: views[view] ?? '', stretch: 1 - plays },
        ...{ plays, playMs: 1_000 },
        details: {
          ...{ startMs: 0, laterMs: 0, position: plays === 1 ? 0 : filmMs / 2, mediaMs: 1_000 },
          ...{ viewer, attributes: { browser: 'Firefox' } },
        },
      }));
    return { accountId, key, accessKey, factsOf };
  }

  test.each(cases)('%s', async (name, _, expected) => {
    const { facts, catalog } = started.service;
    const { accountId, key, accessKey } = played.get(name) ?? expect.fail('it was played');
    const untilMs = day + 30 * dayMs;
    expect(await facts.audienceDays({ accountId, fromMs: day, untilMs })).toHaveLength(1);
    const range = { sdate: '2026-10-05', edate: '2026-11-03', timeZone: 'UTC' };
    const answer = (measures: string, dimensions: string) => {
      const asker = { accountId, timeZone: 'UTC', labels: new Map<string, number>() };
      const asked = { ...range, measures, dimensions };
      const query = readQuery(asked, asker);
      return answerQuery(query, untilMs, { facts, catalog, leastPlaysOfRegular: 0 });
    };
    const byBrowser = await answer(Object.keys(expected).join(), 'browser');
    expect(byBrowser.totals).toEqual(expected);
    expect(byBrowser.rows).toEqual([{ browser: 'Firefox', ...expected }]);

    // Four stretches of a second each, of which one began in the middle where a view went on.
    const seen = { positionedViews: expected.views, seenMs: 4_000, reached50: 4 - expected.plays };
    const { totals } = await answer(Object.keys(seen).join(), 'package');
    expect(totals).toEqual(seen);
    const path = `retention?${new URLSearchParams({ ...range, accessKey, parts: '2' })}`;
    const response = await started.service.get(`/report/statistics/video/v2/${path}`, key);
    const { data } = (await response.json()) as { data: Retention };
    expect(data).toMatchObject({ views: expected.views, positionedViews: expected.views });
    const audience = data.list.map((part) => part.audience);
    expect(audience).toEqual([expected.plays, 4 - expected.plays]);
  });
});
