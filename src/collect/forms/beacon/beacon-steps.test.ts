import { expect, test } from 'vitest';
import type { Publication } from '../../../catalog/catalog.ts';
import type { Beacon } from '../../../wire/beacons/beacon.ts';
import type { BeaconDraft, Sender } from '../../draft.ts';
import { identifyView } from '../../steps/view-identity.ts';
import { checkAuthority, checkForm, identifyVideo } from './beacon-steps.ts';

const at = '2026-11-20T10:15:30.123Z';
const good = { view: 'v', stretch: 0, at, playMs: 5, videoKey: 'k' };
const server: Sender = { accountId: 1, userAgent: 'curl/8', platform: '"Linux"' };
const player: Sender = {
  userAgent: 'Mozilla/5.0',
  platform: '"Windows"',
  platformVersion: '"10.0.0"',
  origin: 'https://site.example',
  address: '203.0.113.9',
  wantsNoTracking: true,
};
const { userAgent, address, wantsNoTracking } = player;

function draftOf(fields: object, sender: Sender = {}): BeaconDraft {
  const result = checkForm({ ...good, ...fields }, sender);
  if (!result.ok) throw new Error(result.reason.detail);
  return result.value;
}

test('a draft says what the beacon says', () => {
  expect(draftOf({})).toEqual({
    beacon: good,
    view: identifyView('beacon', 'v'),
    stretch: 0,
    atMs: Date.parse(at),
    playMs: 5,
    plays: 1,
    device: {},
    facts: [],
  });
});

test.each([
  [0, 1],
  [1, 0],
  [1_000_000, 0],
])('stretch %d counts %d plays', (stretch, plays) => {
  expect(draftOf({ stretch })).toMatchObject({ stretch, plays });
});

test.each([
  { view: 'x' },
  { view: 'x'.repeat(64) },
  { view: '😀'.repeat(64) },
  { stretch: 1_000_000 },
  { playMs: 0 },
  { playMs: 86_400_000 },
  { at: '2026-11-20t10:15:30z' },
  { at: `2026-11-20T10:15:30.${'9'.repeat(43)}Z` },
  { at: `2026-11-20T10:15:30.${'9'.repeat(38)}+09:00` },
  { videoKey: 'k'.repeat(64) },
  { accessKey: 'k', packageId: 1 },
  { accessKey: 'k'.repeat(64), packageId: Number.MAX_SAFE_INTEGER },
  { userAgent: 'x'.repeat(1_024), platform: 'x'.repeat(64), platformVersion: 'x'.repeat(64) },
  { userAgent: '', platform: '', platformVersion: '' },
  { address: '203.0.113.9' },
  { address: '2001:db8::1' },
  { address: '::ffff:203.0.113.9' },
  { unknown: { member: [] } },
])('%j is taken', (fields) => {
  expect(checkForm({ ...good, ...fields }, {}).ok).toBe(true);
});

test.each([
  [{ view: '' }, 'view: must not have fewer than 1 characters'],
  [{ view: 'x'.repeat(65) }, 'view: must not have more than 64 characters'],
  [{ view: '😀'.repeat(65) }, 'view: must not have more than 64 characters'],
  [{ view: 1 }, 'view: must be string'],
  [{ view: undefined }, 'view: must be string'],
  [{ stretch: -1 }, 'stretch: must be >= 0'],
  [{ stretch: 1_000_001 }, 'stretch: must be <= 1000000'],
  [{ stretch: 0.5 }, 'stretch: must be integer'],
  [{ stretch: '0' }, 'stretch: must be integer'],
  [{ playMs: -1 }, 'playMs: must be >= 0'],
  [{ playMs: 86_400_001 }, 'playMs: must be <= 86400000'],
  [{ playMs: Number.POSITIVE_INFINITY }, 'playMs: must be integer'],
  [{ at: 0 }, 'at: must be string'],
  [{ at: `2026-11-20T10:15:30.${'9'.repeat(44)}Z` }, 'at: must not have more than 64 characters'],
  [{ at: '2026-02-30T10:15:30Z' }, 'at: not an RFC 3339 date-time that exists'],
  [{ videoKey: '' }, 'videoKey: must not have fewer than 1 characters'],
  [{ videoKey: 'k'.repeat(65) }, 'videoKey: must not have more than 64 characters'],
  [{ videoKey: null }, 'videoKey: must be string'],
  [{ accessKey: '' }, 'accessKey: must not have fewer than 1 characters'],
  [{ accessKey: 'k'.repeat(65) }, 'accessKey: must not have more than 64 characters'],
  [{ packageId: 0 }, 'packageId: must be >= 1'],
  [{ packageId: 2 ** 53 }, 'packageId: must be <= 9007199254740991'],
  [{ address: '' }, 'address: not an IP address'],
  [{ address: '203.0.113.256' }, 'address: not an IP address'],
  [{ address: '203.0.113.9:80' }, 'address: not an IP address'],
  [{ address: '9'.repeat(65) }, 'address: must not have more than 64 characters'],
  [{ userAgent: 'x'.repeat(1_025) }, 'userAgent: must not have more than 1024 characters'],
  [{ platform: 'x'.repeat(65) }, 'platform: must not have more than 64 characters'],
  [{ platformVersion: 'x'.repeat(65) }, 'platformVersion: must not have more than 64 characters'],
])('%j is refused: %s', (fields, detail) => {
  expect(checkForm({ ...good, ...fields }, {})).toEqual({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail },
  });
});

const start = { wait: 0, waitMs: 800, cause: 'start', outcome: 'played' };
const stretch = { stretch: 0, playMs: 60_000 };
const stall = { wait: 1, waitMs: 2_000, cause: 'stall', outcome: 'played' };

test.each([
  [{ ...start, stretch: 0 }, 'wait: not together with stretch'],
  [{ playMs: 1 }, 'stretch: is required, or wait'],
  [{ stretch: 0 }, 'playMs: is required'],
  [{ ...stretch, waitMs: 1 }, 'waitMs: only with wait'],
  [{ ...stretch, cause: 'stall' }, 'cause: only with wait'],
  [{ ...stretch, outcome: 'left' }, 'outcome: only with wait'],
  [{ ...stretch, error: '3016' }, 'error: only with wait'],
  [{ ...start, waitMs: undefined }, 'waitMs: is required'],
  [{ ...start, cause: undefined }, 'cause: is required'],
  [{ ...start, outcome: undefined }, 'outcome: is required'],
  [{ ...start, playMs: 1 }, 'playMs: only with stretch'],
  [{ ...start, position: 1 }, 'position: only with stretch'],
  [{ ...start, mediaMs: 1 }, 'mediaMs: only with stretch'],
  [{ ...start, mediaBits: 1 }, 'mediaBits: only with stretch'],
  [{ ...start, frames: 1 }, 'frames: only with stretch'],
  [{ ...start, droppedFrames: 1 }, 'droppedFrames: only with stretch'],
  [{ ...stretch, frames: 1, droppedFrames: 2 }, 'droppedFrames: must not be more than frames'],
  [{ ...start, cause: 'stall' }, 'cause: must be start for wait 0'],
  [{ ...stall, cause: 'start' }, 'cause: start is wait 0 alone'],
  [{ ...stall, outcome: 'left', error: '3016' }, 'error: only with failed, played or cause error'],
])('%j is neither a stretch nor a wait: %s', (fields, detail) => {
  expect(checkForm({ view: 'v', at, videoKey: 'k', ...fields }, {})).toEqual({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail },
  });
});

test.each([
  { ...start, outcome: 'failed', error: '3016' },
  { ...stall, error: '3016' },
  { ...stall, cause: 'error', outcome: 'waiting', error: '3016' },
])('the wait %j is taken with its error', (fields) => {
  const result = checkForm({ view: 'v', at, videoKey: 'k', ...fields }, {});
  expect(result).toMatchObject({ value: { quality: { wait: { error: '3016' } } } });
});

test.each([
  [undefined, 'beacon: not valid JSON'],
  [null, 'beacon: must be a JSON object'],
  [[], 'beacon: must be a JSON object'],
  ['{}', 'beacon: must be a JSON object'],
  [7, 'beacon: must be a JSON object'],
  [{}, 'view: is required'],
  [{ view: 'v', stretch: 0, playMs: 0 }, 'at: is required'],
])('%j is no beacon: %s', (received, detail) => {
  expect(checkForm(received, {})).toMatchObject({ ok: false, reason: { detail } });
});

test.each([
  ['headers alone', {}, player],
  [
    'the platform of the beacon, and no version of another',
    { platform: 'tvOS' },
    { userAgent, address, wantsNoTracking, platform: 'tvOS', platformVersion: undefined },
  ],
  [
    'platform and version of the beacon',
    { platform: 'Windows', platformVersion: '15.0.0' },
    { userAgent, address, wantsNoTracking, platform: 'Windows', platformVersion: '15.0.0' },
  ],
  [
    'a version alone, for the platform of the headers',
    { platformVersion: '15.0.0' },
    { userAgent, address, wantsNoTracking, platform: '"Windows"', platformVersion: '15.0.0' },
  ],
  ['empty hints, which say nothing', { platform: '', platformVersion: '' }, player],
])('without a key the device is that of %s', (_, fields, device) => {
  expect(draftOf(fields, player).device).toEqual(device);
});

test('with a key the device is the one that the beacon describes', () => {
  const described = draftOf({ platform: 'tvOS', userAgent: 'App/1', address }, server).device;
  expect(described).toEqual({ platform: 'tvOS', userAgent: 'App/1', address });
  expect(draftOf({ wantsNoTracking: true }, { ...player, ...server }).device).toEqual({});
});

const publication = { accountId: 1, packageId: 2, videoId: 3 };
const stranger: Sender = {};

const draftWith = (beacon: Partial<Beacon>) => ({ beacon, facts: [] }) as unknown as BeaconDraft;

/** Why it is refused; otherwise the video that it is of. */
function identified(beacon: Partial<Beacon>, sender: Sender, found?: object) {
  const draft = draftWith(beacon);
  const find = () => found as Publication | undefined;
  const refusal = identifyVideo.run(draft, { sender, nowMs: 0, find });
  return refusal ?? draft.publication;
}

const byNumber = { accessKey: 'film', packageId: 2 };
const invalid = (detail: string) => ({ code: 'INVALID_BEACON', detail });
const isRequired = invalid('videoKey: is required, or accessKey and packageId with a key');
const notTogether = invalid('videoKey: not together with accessKey and packageId');
const unknown = (name: string) => {
  return {
    code: 'UNKNOWN_VIDEO',
    detail: `${name}: no such video in a package; copy it from the dashboard`,
  };
};

test.each<[Partial<Beacon>, Sender, object | undefined, object]>([
  [{ videoKey: 'k' }, stranger, publication, publication],
  [{ videoKey: 'k' }, server, publication, publication],
  [byNumber, server, publication, publication],
  [{}, stranger, publication, isRequired],
  [{ accessKey: 'film' }, server, publication, isRequired],
  [{ packageId: 2 }, server, publication, isRequired],
  [{ videoKey: 'k', accessKey: 'film' }, server, publication, notTogether],
  [{ videoKey: 'k', packageId: 2 }, server, publication, notTogether],
  [{ videoKey: 'k' }, stranger, undefined, unknown('videoKey')],
  [byNumber, server, undefined, unknown('accessKey, packageId')],
  [{ videoKey: 'k' }, { accountId: 9 }, publication, unknown('videoKey')],
])('the video of %j from %j, of which %j is known: %j', (beacon, sender, found, expected) => {
  expect(identified(beacon, sender, found)).toEqual(expected);
});

test.each([
  [{ videoKey: 'k' }, undefined],
  [{ accessKey: 'film' }, 'accessKey'],
  [{ packageId: 2 }, 'packageId'],
  [{ userAgent: 'x' }, 'userAgent'],
  [{ address: '192.0.2.1' }, 'address'],
])('without a key, %j may not say %s', (beacon, member) => {
  const context = { nowMs: 0, find: () => undefined };
  const detail = `${member}: needs an API key with collect:write`;
  expect(checkAuthority.run(draftWith(beacon), { ...context, sender: stranger })).toEqual(
    member === undefined ? undefined : { code: 'KEY_REQUIRED', detail },
  );
  expect(checkAuthority.run(draftWith(beacon), { ...context, sender: server })).toBeUndefined();
});
