import { expect, test } from 'vitest';
import type { Draft, Sender } from '../draft.ts';
import { aheadMs, checkTime, oldestMs, refuseTime } from './time-step.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;
const player: Sender = {};
const server: Sender = { accountId: 1 };

test('the borders are those of the interface', () => {
  expect([oldestMs, aheadMs]).toEqual([48 * hourMs, 5 * 60_000]);
});

const tooOld = (detail: string) => ({ code: 'TOO_OLD', detail });
const inFuture = (detail: string) => ({ code: 'IN_FUTURE', detail });
const begins = inFuture('at: must not be after 2026-11-20T12:05:00.000Z, 5 minutes from now');
const runsOn = inFuture('playMs: runs past 2026-11-20T12:05:00.000Z, 5 minutes from now');

test.each([
  ['now', player, 0, 0, undefined],
  ['48 hours ago', player, -48 * hourMs, 0, undefined],
  [
    '1 ms earlier',
    player,
    -48 * hourMs - 1,
    0,
    tooOld('at: must not be before 2026-11-18T12:00:00.000Z, 48 hours ago'),
  ],
  ['48 hours ago, for a day', player, -48 * hourMs, 24 * hourMs, undefined],
  ['in 5 minutes', player, 300_000, 0, undefined],
  ['1 ms later', player, 300_001, 0, begins],
  ['in 5 minutes, for 1 ms', player, 300_000, 1, runsOn],
  ['now, for 5 minutes', player, 0, 300_000, undefined],
  ['now, for 1 ms more', player, 0, 300_001, runsOn],
  ['now, for a day', player, 0, 24 * hourMs, runsOn],
  ['a day ago, until in 5 minutes', player, 300_000 - 24 * hourMs, 24 * hourMs, undefined],
  ['a day ago, until 1 ms later', player, 300_001 - 24 * hourMs, 24 * hourMs, runsOn],
  ['with a key: years ago', server, -20_000 * hourMs, 0, undefined],
  ['with a key: on 2 January 1970', server, Date.UTC(1970, 0, 2) - nowMs, 0, undefined],
  [
    'with a key: 1 ms before',
    server,
    Date.UTC(1970, 0, 2) - nowMs - 1,
    0,
    tooOld('at: must not be before 1970-01-02T00:00:00.000Z'),
  ],
  ['with a key: in 5 minutes', server, 300_000, 0, undefined],
  ['with a key: 1 ms later', server, 300_001, 0, begins],
  ['with a key: running two days ahead', server, 24 * hourMs, 24 * hourMs, begins],
  ['with a key: running on too long', server, 0, 300_001, runsOn],
])('%s', (_, sender, sinceMs, playMs, refusal) => {
  const atMs = nowMs + sinceMs;
  expect(refuseTime({ atMs, playMs }, sender, nowMs)).toEqual(refusal);
  const draft = { view: 'v', stretch: 0, atMs, playMs, plays: 0, device: {}, facts: [] } as Draft;
  expect(checkTime.run(draft, { sender, nowMs })).toEqual(refusal);
});

test('what may take time back is in time: the events that it is made of were', () => {
  const retold = { known: 3, longestMs: 90_000 };
  const draft = {
    view: 'v',
    stretch: 0,
    atMs: 0,
    playMs: 0,
    plays: 0,
    device: {},
    facts: [],
  } as Draft;
  expect(checkTime.run({ ...draft, retold }, { sender: player, nowMs })).toBeUndefined();
});

test.each([
  ['for 5 minutes', 300_000, undefined],
  [
    'for 1 ms more',
    300_001,
    inFuture('waitMs: runs past 2026-11-20T12:05:00.000Z, 5 minutes from now'),
  ],
])('a wait now, %s', (_, waitMs, refusal) => {
  const draft = {
    ...{ view: 'v', stretch: 0, atMs: nowMs, playMs: 0, plays: 0, device: {}, facts: [] },
    quality: { wait: { cause: 'stall', outcome: 'waiting', waitMs } },
  } satisfies Draft as Draft;
  expect(checkTime.run(draft, { sender: player, nowMs })).toEqual(refusal);
});
