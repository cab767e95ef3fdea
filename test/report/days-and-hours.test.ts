/** Playback that crosses midnight or a change of the clock, in the zone of the account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const datePath = '/report/statistics/video/v1/info/date';

/** An account that played these stretches, each a view of its own. */
async function played(timeZone: string, ...stretches: { at: string; playMs: number }[]) {
  const account = await service.addAccount(timeZone);
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const beacons = stretches.map((stretch, index) => ({
    view: `view-${index}`,
    stretch: 0,
    accessKey,
    packageId,
    ...stretch,
  }));
  const response = await service.send(beacons, { 'x-api-key': account.key });
  expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
  await service.facts.rollUp();
  const list = async (path: string) => (await service.ask(path, account.key)).list;
  return {
    dates: (sdate: string, edate: string, more = '') =>
      list(`${datePath}?sdate=${sdate}&edate=${edate}&sortDirection=asc${more}`),
    hours: (date: string, more = '') =>
      list(`${datePath}/hour?date=${date}&sortDirection=asc${more}`),
  };
}

test.each([
  // zone, played from, hours played, a day and its seconds, the next day and its seconds
  ['America/St_Johns', '2009-10-31T02:30:00Z', 49, '2009-10-31', 89_100, '2009-11-01', 87_300],
  ['Antarctica/Casey', '2010-03-03T13:00:00Z', 51, '2010-03-04', 90_000, '2010-03-05', 93_600],
])(
  'a clock that goes back over midnight in %s: only the day that was asked for is answered',
  async (timeZone, from, count, date, seconds, nextDate, nextSeconds) => {
    const stretches = [0, 24, 48].map((since) => ({
      at: new Date(Date.parse(from) + since * 3_600_000).toISOString(),
      playMs: Math.min(24, count - since) * 3_600_000,
    }));
    const { dates, hours } = await played(timeZone, ...stretches);
    const secondsOf = (rows: readonly { date?: string; duration: string }[]) =>
      rows.map((row) => [row.date, Number(row.duration)]);
    expect(secondsOf(await dates(date, date))).toEqual([[date, seconds]]);
    expect(secondsOf(await dates(nextDate, nextDate))).toEqual([[nextDate, nextSeconds]]);
    expect(secondsOf(await dates(date, nextDate))).toEqual([
      [date, seconds],
      [nextDate, nextSeconds],
    ]);
    for (const [day, whole] of [
      [date, seconds],
      [nextDate, nextSeconds],
    ] as const) {
      const rows = await hours(day);
      expect(rows.map(({ hour }) => hour)).toEqual(twoDigits(24));
      expect(rows.reduce((sum, { duration }) => sum + Number(duration), 0)).toBe(whole);
    }
  },
);

test('a day that the zone skipped is answered by nothing, and not filled in', async () => {
  const { dates, hours } = await played('Pacific/Apia');
  const filled = await dates('2011-12-28', '2012-01-01', '&fill=zero');
  expect(filled.map(({ date }) => date)).toEqual([
    '2011-12-28',
    '2011-12-29',
    '2011-12-31',
    '2012-01-01',
  ]);
  expect(await dates('2011-12-30', '2011-12-30', '&fill=zero')).toEqual([]);
  expect(await hours('2011-12-30', '&fill=zero')).toEqual([]);
});

test('milliseconds add up before they are rounded down', async () => {
  const stretches = [1, 2, 3].map((hour) => ({ at: `2026-05-04T0${hour}:00:00Z`, playMs: 600 }));
  const { dates, hours } = await played('UTC', ...stretches);
  expect((await dates('2026-05-04', '2026-05-04')).map(({ duration }) => duration)).toEqual(['1']);
  expect((await hours('2026-05-04')).map(({ duration }) => duration)).toEqual(['0', '0', '0']);
});

function twoDigits(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(2, '0'));
}
