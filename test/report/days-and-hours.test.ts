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
  // zone, 23:59:50 there, the date, the next date
  ['Asia/Kathmandu', '2026-05-04T18:14:50Z', '2026-05-04', '2026-05-05'],
  ['America/New_York', '2026-03-09T03:59:50Z', '2026-03-08', '2026-03-09'],
  ['America/New_York', '2026-11-02T04:59:50Z', '2026-11-01', '2026-11-02'],
])('30 s from 23:59:50 in %s, %s', async (timeZone, at, date, nextDate) => {
  const { dates } = await played(timeZone, { at, playMs: 30_000 });
  expect(await dates(date, nextDate)).toEqual([
    { duration: '10', videoCount: '1', date },
    { duration: '20', videoCount: '0', date: nextDate },
  ]);
  expect(await dates(date, date)).toEqual([{ duration: '10', videoCount: '1', date }]);
  expect(await dates(nextDate, nextDate)).toEqual([
    { duration: '20', videoCount: '0', date: nextDate },
  ]);
});

test('a day of 25 hours shows the repeated hour in one row', async () => {
  // 24 h of playing, the longest stretch there is, and one hour more in a second view.
  const { hours, dates } = await played(
    'America/New_York',
    { at: '2026-11-01T04:00:00Z', playMs: 86_400_000 },
    { at: '2026-11-02T04:00:00Z', playMs: 3_600_000 },
  );
  const rows = await hours('2026-11-01');
  expect(rows.map(({ hour }) => hour)).toEqual(twoDigits(24));
  expect(rows[1]).toEqual({ duration: '7200', videoCount: '0', date: '2026-11-01', hour: '01' });
  const sum = rows.reduce((seconds, { duration }) => seconds + Number(duration), 0);
  expect(sum).toBe(25 * 3_600);
  expect(await dates('2026-11-01', '2026-11-01')).toEqual([
    { duration: '90000', videoCount: '2', date: '2026-11-01' },
  ]);
});

test('a day of 23 hours lacks the missing hour, filled or not', async () => {
  const { hours } = await played('America/New_York', {
    at: '2026-03-08T05:00:00Z',
    playMs: 23 * 3_600_000,
  });
  const present = twoDigits(24).filter((hour) => hour !== '02');
  const rows = await hours('2026-03-08');
  expect(rows.map(({ hour }) => hour)).toEqual(present);
  expect(await hours('2026-03-08', '&fill=zero')).toEqual(rows);
  const filled = await hours('2026-03-09', '&fill=zero');
  expect(filled.map(({ hour }) => hour)).toEqual(twoDigits(24));
});

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

test('an hour of a 45-minute zone is the hour on the wall there', async () => {
  // 10:59:30 in Kathmandu
  const { hours } = await played('Asia/Kathmandu', { at: '2026-05-04T05:14:30Z', playMs: 45_000 });
  expect(await hours('2026-05-04')).toEqual([
    { duration: '30', videoCount: '1', date: '2026-05-04', hour: '10' },
    { duration: '15', videoCount: '0', date: '2026-05-04', hour: '11' },
  ]);
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
