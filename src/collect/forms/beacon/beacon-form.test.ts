import { expect, test } from 'vitest';
import type { BeaconDraft, Sender } from '../../draft.ts';
import { identifyView } from '../../steps/view-identity.ts';
import { checkForm } from './beacon-form.ts';

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
