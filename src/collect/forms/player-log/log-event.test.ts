import { expect, test } from 'vitest';
import { assert } from '../../../lib/assert.ts';
import { playerLogDataLimitChars } from '../../../wire/beacons/player-log.ts';
import { type LogData, type LogEvent, readLogEvent } from './log-event.ts';
import { createSessionSeal } from './session-seal.ts';

const given = { gid: 7, pid: 3, vid: 21, uid: 'viewer', cs: '20261120120000' };
const numbers = { accountId: 7, packageId: 3, videoId: 21 };

const seal = createSessionSeal('a secret of the service');
const read = (event: object) => readLogEvent(JSON.stringify({ ...given, ...event }), seal);

function readWell(event: object): LogEvent {
  const result = read(event);
  assert(result.ok, 'the event is read');
  return result.value;
}

test('an event is read into our terms', () => {
  expect(readWell({ e: 'vi', plid: 1, dtt: 600, dst: 5.25, det: 10 })).toEqual({
    ...numbers,
    view: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
    isSealed: false,
    token: undefined,
    sessionStartMs: Date.UTC(2026, 10, 20, 12),
    showsPlay: true,
    range: { startMs: 5_250, lengthMs: 4_750, startIsDerived: false },
    stoppedAtMs: undefined,
  });
});

test.each([
  ['aa.bb-_.cc', true],
  ['aa.bb', false],
  ['aa.bb.cc.dd', false],
  ['a a.bb.cc', false],
  ['aa.b b.cc', false],
  ['aa.bb.c c', false],
  ['aa..cc', false],
])('of a viewer %j that it is a token: %s', (uid, isToken) => {
  expect(readWell({ e: 'vs', uid }).token).toBe(isToken ? uid : undefined);
});

test('of data that is given more or less than once nothing is read', () => {
  const detailOf = (data: LogData) => {
    const result = readLogEvent(data, seal);
    return result.ok ? undefined : [result.reason.detail, result.reason.numbers];
  };
  expect(detailOf(undefined)).toEqual(['data: is required', undefined]);
  expect(detailOf(['{}', '{}'])).toEqual(['data: must be given once', undefined]);
  const padded = (length: number) => JSON.stringify({ ...given, e: 'vs' }).padEnd(length);
  expect(detailOf(padded(playerLogDataLimitChars))).toBeUndefined();
  const emoji = JSON.stringify({ ...given, e: 'vs', note: '😀' });
  expect(detailOf(emoji.padEnd(playerLogDataLimitChars + 1))).toBeUndefined();
  expect(detailOf(padded(playerLogDataLimitChars + 1))).toEqual([
    `data: must not be longer than ${playerLogDataLimitChars} characters`,
    numbers,
  ]);
});

test('numbers may be quoted, and name the same view', () => {
  const quoted = { gid: '7', pid: '3', vid: '21', dst: '5.25', det: '10' };
  const event = readWell({ e: 'vi', dst: 5.25, det: 10 });
  expect(readWell({ e: 'vi', ...quoted })).toEqual(event);
  expect(readWell({ e: 'vi', ...quoted, cs: 20261120120000 })).toEqual(event);
});

test('a view is of one account, package, video, start and viewer', () => {
  const { view } = readWell({ e: 'vs' });
  expect(readWell({ e: 'vp', dst: 0, det: 5 }).view).toBe(view);
  const others = [{ gid: 8 }, { pid: 4 }, { vid: 22 }, { cs: '20261120120001' }, { uid: 'x' }];
  const views = others.map((change) => readWell({ e: 'vs', ...change }).view);
  expect(new Set([view, ...views]).size).toBe(6);
});

test('a session that the service gave is one view, in whatever spelling it comes back', () => {
  const uid = seal.draw({ ...numbers, cs: given.cs });
  const quoted = { gid: '7', pid: '3', vid: '21', cs: 20261120120000 };
  const [one, ...others] = [{}, { uid: uid.toUpperCase() }, quoted].map((change) =>
    readWell({ e: 'vs', uid, ...change }),
  );
  expect(one).toMatchObject({ isSealed: true });
  for (const other of others) expect(other).toEqual(one);
  // A viewer that the service did not name may differ in case only.
  expect(readWell({ e: 'vs', uid: 'Viewer' }).view).not.toBe(readWell({ e: 'vs' }).view);
});

test.each([{ cs: '20261120120001' }, { vid: 22 }, { pid: 4 }, { gid: 8 }])(
  'of another session than the one given (%j) it is not',
  (change) => {
    const uid = seal.draw({ ...numbers, cs: given.cs });
    expect(readWell({ e: 'vs', uid, ...change })).toMatchObject({ isSealed: false });
  },
);

const range = (startMs: number, lengthMs: number) => ({
  ...{ startMs, lengthMs, startIsDerived: false },
});
const dayMs = 86_400_000;

test.each<[string, object, Partial<LogEvent>]>([
  ['loaded', { e: 'pl', dst: 0, det: 5 }, { showsPlay: false }],
  ['ready', { e: 'sr' }, { showsPlay: false }],
  ['play started', { e: 'vs' }, { showsPlay: true }],
  ['play started again, later', { e: 'vs', dst: 12, det: 17 }, { showsPlay: true }],
  ['still playing', { e: 'vi', dst: 0, det: 5 }, { showsPlay: true, range: range(0, 5_000) }],
  ['paused', { e: 'vp', dst: 5, det: 7 }, { showsPlay: true, range: range(5_000, 2_000) }],
  ['stopped', { e: 'vt', dst: 5, det: 7 }, { showsPlay: true, range: range(5_000, 2_000) }],
  ['stopped somewhere', { e: 'vt', det: 7 }, { showsPlay: true, stoppedAtMs: 7_000 }],
  ['stopped, no start', { e: 'vt', dst: null, det: 7 }, { showsPlay: true, stoppedAtMs: 7_000 }],
  ['stopped at once', { e: 'vt', det: 0 }, { showsPlay: false }],
  ['to the nearest millisecond', { e: 'vi', dst: 0.0004, det: 1.0006 }, { range: range(0, 1_001) }],
  ['nothing played', { e: 'vi', dst: 5, det: 5 }, { showsPlay: false }],
  ['backwards', { e: 'vi', dst: 5, det: 4 }, { showsPlay: false }],
  ['a day', { e: 'vi', dst: 5, det: 86_405 }, { range: range(5_000, dayMs) }],
  ['to a day without a start', { e: 'vt', det: 86_400 }, { stoppedAtMs: dayMs }],
  ['a seek after 5 s', { e: 'vk', dst: 0, det: 5 }, { range: range(0, 5_000) }],
  ['a seek after more', { e: 'vk', dst: 0, det: 5.001 }, { showsPlay: false }],
  ['in the first minute', { e: 'vk', dst: 59.999, det: 65 }, { showsPlay: false }],
  ['later: after 10 s', { e: 'vk', dst: 60, det: 70 }, { range: range(60_000, 10_000) }],
  ['later: after more', { e: 'vk', dst: 60, det: 70.001 }, { showsPlay: false }],
])('%s: %j', (_name, event, expected) => {
  const none = { range: undefined, stoppedAtMs: undefined };
  expect(readWell(event)).toMatchObject({ ...none, ...expected });
});

test.each([
  ['no name of an event', { e: undefined }, /^data: .* e$/],
  ['no account', { e: 'vs', gid: undefined }, /^data: .* gid$/],
  ['account 0', { e: 'vs', gid: 0 }, /^gid: ./],
  ['no viewer', { e: 'vs', uid: '' }, /^uid: ./],
  ['no start of the session', { e: 'vs', cs: undefined }, /^data: .* cs$/],
  ['words for a time', { e: 'vi', dst: 0, det: 'five' }, /^det: ./],
])('%s: refused, and nobody knows whose it is', (_name, event, detail) => {
  const result = read(event);
  expect(result).toMatchObject({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: expect.stringMatching(detail) },
  });
  expect(result).not.toMatchObject({ reason: { numbers } });
});

test.each([
  ['{', 'data: '],
  ['null', 'data: '],
  ['"vs"', 'data: '],
])('%s is no event', (data, start) => {
  expect(readLogEvent(data, seal)).toMatchObject({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: expect.stringMatching(`^${start}`) },
  });
});

test.each([
  ['a session that never was', { e: 'vs', cs: '20260230101010' }, 'cs: not a time that exists'],
  ['no end', { e: 'vi', dst: 5 }, 'vi needs dst and det'],
  ['no end of a stop', { e: 'vt', dst: 5 }, 'vt needs dst and det'],
  ['no start', { e: 'vi', det: 5 }, 'vi needs dst and det'],
  ['no start of a pause', { e: 'vp', dst: null, det: 5 }, 'vp needs dst and det'],
  ['before the beginning', { e: 'vi', dst: -0.001, det: 5 }, 'dst: before the beginning'],
  ['too long', { e: 'vi', dst: 0, det: 86_400.001 }, 'det: more than a day after dst'],
])('%s: refused, with whose event it is', (_name, event, detail) => {
  expect(read(event)).toEqual({ ok: false, reason: { code: 'INVALID_BEACON', detail, numbers } });
});

test.each(['xx', 'toString', ''])('event "%s" is none that is known', (e) => {
  const detail = 'e: unknown event';
  expect(read({ e })).toEqual({ ok: false, reason: { code: 'UNKNOWN_EVENT', detail, numbers } });
});
