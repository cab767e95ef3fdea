import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../../test/support/manual-clock.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import { createEventAllowance, type EventAllowance } from './event-allowance.ts';

let clock: ManualClock;
let allowance: EventAllowance;
beforeEach(() => {
  clock = manualClock();
  allowance = createEventAllowance(clock);
});

const view = '6b1f1c0e-7c2b-4f55-9f63-0a4b8f5d2c11';
const event = (sequence: number, more: Partial<PlayerEvent> = {}): PlayerEvent => {
  const momentMs = Date.UTC(2026, 10, 20, 12) + sequence;
  return { accountId: 7, view, momentMs, sequence, state: 'playing', arrivalMs: 0, ...more };
};
type From = Parameters<EventAllowance['take']>[1];
const one = { network: '192.0.2.7' };
/** How many of so many new events are taken. */
const taken = (count: number, from: From, first = 0, more: Partial<PlayerEvent> = {}) =>
  Array.from({ length: count }, (_, at) => event(first + at, more)).filter((each) =>
    allowance.take(each, from),
  ).length;

test('of a view an address reports 3,600 events at once, then two a second', () => {
  expect(taken(4_000, one)).toBe(3_600);
  clock.advance(60_000);
  expect(taken(4_000, one, 10_000)).toBe(120);
});

test('another address, and another view, have shares of their own', () => {
  taken(4_000, one);
  expect(taken(10, { network: '192.0.2.8' }, 10_000)).toBe(10);
  expect(taken(10, one, 10_000, { view: view.replace('6', '7') })).toBe(10);
});

test('an event that is sent again uses up nothing, and is taken also when nothing is left', () => {
  for (let times = 0; times < 3; times += 1) expect(taken(3_600, one)).toBe(3_600);
  expect(allowance.take(event(3_600), one)).toBe(false);
  expect(allowance.take(event(3_600), one)).toBe(false);
});

test.each<[string, Partial<PlayerEvent>]>([
  ['number', { sequence: 9_999 }],
  ['moment', { momentMs: Date.UTC(2026, 10, 20, 13) }],
  ['state', { state: 'resting' }],
])('one of another %s is another', (_, more) => {
  taken(3_600, one);
  expect(allowance.take(event(0), one)).toBe(true);
  expect(allowance.take(event(0, more), one)).toBe(false);
});

test('a wide network of IPv6 has the share of four addresses', () => {
  const from = (place: number) => ({ network: `2001:db8:1:${place}`, site: '2001:db8:1::/48' });
  const all = Array.from({ length: 6 }, (_, at) => taken(3_600, from(at), at * 10_000));
  expect(all).toEqual([3_600, 3_600, 3_600, 3_600, 0, 0]);
});

test('a server with a key of the account has no bound; one of another account has', () => {
  expect(taken(4_000, { ...one, accountId: 7 })).toBe(4_000);
  expect(taken(4_000, { ...one, accountId: 8 }, 10_000)).toBe(3_600);
});
