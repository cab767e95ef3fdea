import { expect, test } from 'vitest';
import { todayIn } from './calendar.ts';
import { intervalsFor, readView } from './view.ts';

const now = new Date('2026-03-31T16:00:00Z');
const view = (search: string, zone = 'UTC') =>
  readView(new URLSearchParams(search), todayIn(zone, now));

test.each([
  ['', 'UTC', '2026-03-04', '2026-03-31', 'date'],
  ['period=today', 'UTC', '2026-03-31', '2026-03-31', 'hour'],
  // There it is tomorrow already.
  ['period=today', 'Asia/Seoul', '2026-04-01', '2026-04-01', 'hour'],
  ['period=7d', 'UTC', '2026-03-25', '2026-03-31', 'date'],
  ['period=90d', 'UTC', '2026-01-01', '2026-03-31', 'date'],
  ['period=12mo', 'UTC', '2025-04-01', '2026-03-31', 'month'],
  ['period=custom&from=2026-01-01&to=2026-01-02', 'UTC', '2026-01-01', '2026-01-02', 'hour'],
  ['period=custom&from=2026-01-02&to=2026-01-01', 'UTC', '2026-03-04', '2026-03-31', 'date'],
  ['period=custom&from=2026-02-30&to=x', 'UTC', '2026-03-04', '2026-03-31', 'date'],
  ['period=28d&by=week', 'UTC', '2026-03-04', '2026-03-31', 'week'],
  // A year by the hour would be 8,760 points.
  ['period=12mo&by=hour', 'UTC', '2025-04-01', '2026-03-31', 'month'],
])('"%s" in %s: %s to %s by %s', (search, zone, from, to, interval) => {
  expect(view(search, zone)).toMatchObject({ from, to, interval });
});

test('what a URL says wrongly is as usual', () => {
  const usual = { compare: 'weekdays', measure: 'plays', filters: [] };
  expect(view('compare=x&measure=y&filters=z')).toMatchObject(usual);
});

test('only intervals that a chart shows well are offered', () => {
  expect(intervalsFor({ from: '2026-03-31', to: '2026-03-31' })).toEqual(['hour']);
  expect(intervalsFor(view('period=90d'))).toEqual(['date', 'week', 'month']);
});
