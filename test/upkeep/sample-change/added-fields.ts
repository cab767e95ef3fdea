/** Runs in a copy of the tree to which sample-change.test.ts has added a measure and a dimension. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';

const dayMs = 86_400_000;
const firstDay = Date.UTC(2026, 9, 5);
const days = 3;
const plays = 300_000;
const portion = 20_000;
const editions = ['first', 'second', ''];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pace: { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 } });
});
afterAll(() => service?.stop());

test('what was added answers as a plain loop does', { timeout: 1_200_000 }, async () => {
  const { facts, catalog } = service;
  const account = await service.addAccount('UTC');
  const { accountId } = account;
  const accessKey = await account.addVideo();
  const packageId = await account.addPackage();
  await account.publish(packageId, accessKey);
  const videoId = (await catalog.publications.findVideoId(accountId, accessKey)) ?? 0;

  const expected = new Map<string, { plays: number; firstStretchMs: number; playMs: number }>();
  const factsOf = (index: number) => {
    const edition = editions[index % editions.length] ?? '';
    const stretches = index % 4 === 0 ? [0, 1] : [0];
    const row = expected.get(edition || 'Unknown') ?? { plays: 0, firstStretchMs: 0, playMs: 0 };
    expected.set(edition || 'Unknown', row);
    row.plays += 1;
    row.firstStretchMs += 1_000;
    row.playMs += 1_000 * stretches.length;
    return stretches.map((stretch) => ({
      ...{ accountId, packageId, videoId, suspect: '', os: 'iOS', osVersion: '18' },
      slotStart: firstDay + (index % days) * dayMs,
      view: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      ...{ stretch, plays: stretch === 0 ? 1 : 0, playMs: 1_000 },
      details: { startMs: 0, laterMs: 0, mediaMs: 0, attributes: { ...({ edition } as object) } },
    }));
  };
  for (let first = 0; first < plays; first += portion) {
    const indices = Array.from({ length: portion }, (_, at) => first + at);
    await facts.stretches.write(indices.flatMap(factsOf));
  }
  await facts.rollUp();
  await facts.checkViews();
  const range = { accountId, fromMs: firstDay, untilMs: firstDay + days * dayMs };
  expect(await facts.audienceDays(range)).toHaveLength(days);

  const ask = async (measures: string) => {
    const asked = { sdate: '2026-10-05', edate: '2026-10-07', dimensions: 'edition', measures };
    const path = `/report/statistics/video/v2/query?${new URLSearchParams(asked)}`;
    const { data } = (await (await service.get(path, account.key)).json()) as {
      data: { list: readonly Record<string, number | string>[] };
    };
    return Object.fromEntries(data.list.map(({ edition, ...measured }) => [edition, measured]));
  };
  expect(await ask('plays,firstStretchMs,playMs')).toEqual(Object.fromEntries(expected));
  // By the counts of days.
  const rows = [...expected].map(([edition, row]) => [edition, { views: row.plays }]);
  expect(await ask('views')).toEqual(Object.fromEntries(rows));
});
