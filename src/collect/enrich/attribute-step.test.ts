import { expect, test } from 'vitest';
import type { Draft } from '../draft.ts';
import { setAttributes } from './attribute-step.ts';

const step = setAttributes({
  countryOf: (address) => (address === '203.0.113.9' ? 'DE' : ''),
  knowsStart: ({ view }) => view === 'begun',
});

function attributesOf(fields: Partial<Draft>) {
  const draft: Draft = {
    ...{ view: 'v', stretch: 0, atMs: 0, playMs: 0, plays: 0, device: {}, facts: [] },
    operatingSystem: { name: 'Unknown', version: 'Unknown' },
    ...fields,
  };
  expect(step.run(draft, { sender: {}, nowMs: 0 })).toBeUndefined();
  return draft.attributes;
}

test('what is not known is empty', () => {
  expect(new Set(Object.values(attributesOf({}) ?? {}))).toEqual(new Set(['']));
});

test('the country that a proxy tells wins over that of the address', () => {
  const address = '203.0.113.9';
  expect(attributesOf({ device: { address } })?.country).toBe('DE');
  expect(attributesOf({ device: { address, country: 'FR' } })?.country).toBe('FR');
  expect(attributesOf({ device: { address: '198.51.100.1' } })?.country).toBe('');
});

test('a sender may tell other things in each of its beacons', () => {
  const device = { address: '203.0.113.9' };
  const all = [
    {},
    { page: 'https://a.example/1' },
    { page: 'https://a.example/1', player: 'a/1' },
    { page: 'https://a.example/1', player: 'a/1', referrer: 'https://b.example' },
    { operatingSystem: { name: 'iOS', version: '18' } as const },
    { device: { address: '198.51.100.1' } },
  ].map((reported) => attributesOf({ device, ...reported }));
  expect(all.map((attributes) => Object.values(attributes ?? {}).join())).toEqual([
    'DE,,,,,,,,,,',
    'DE,,,,a.example,a.example/1,,,,,',
    'DE,,,,a.example,a.example/1,,a/1,,,',
    'DE,,,,a.example,a.example/1,b.example,a/1,,,',
    'DE,mobile,,,,,,,,,',
    ',,,,,,,,,,',
  ]);
});

test('beacons of one User-Agent share what they tell alike, whatever comes between them', () => {
  const [chrome, safari] = [{ userAgent: 'Chrome/140' }, { userAgent: 'Safari/18' }];
  const first = attributesOf({ device: { ...chrome } });
  expect(attributesOf({ device: { ...safari } })).not.toBe(first);
  expect(attributesOf({ device: { ...chrome } })).toBe(first);
  const abroad = attributesOf({ device: { ...chrome, address: '203.0.113.9' } });
  expect(abroad?.country).toBe('DE');
  expect(first?.country).toBe('');
});

test('labels stay with their beacon', () => {
  const device = {};
  expect(attributesOf({ device, attributes: { label1: 'a' } })).toMatchObject({ label1: 'a' });
  expect(attributesOf({ device })).not.toHaveProperty('label1');
});

test('of the referrer the host is kept, of the page the path too', () => {
  const url = 'https://www.example.com/a?b=c';
  expect(attributesOf({ page: url, referrer: url })).toMatchObject({
    host: 'www.example.com',
    page: 'www.example.com/a',
    referrer: 'www.example.com',
  });
});

test('an app is a referrer, but no host of a page', () => {
  const url = 'android-app://com.example.mail/';
  expect(attributesOf({ page: url, referrer: url })).toMatchObject({
    host: '',
    page: '',
    referrer: 'com.example.mail',
  });
});

test.each([
  ['hls.js/1.7.2', true],
  ['Shaka Player/5.2.12', true],
  ['video.js/8.24.1-beta.1', true],
  ['ExoPlayer_media3/1.4', true],
  ['재생기/1.0', true],
  ['@vidstack/1.12', true],
  ['hls.js', false],
  ['hls.js/', false],
  ['hls.js/latest', false],
  ['/1.0', false],
  ['<b>/1', false],
  ['a\tb/1', false],
  ['hls.js/1.7.2 (x)', false],
  [`${'a'.repeat(49)}/1`, false],
  [`a/1${'0'.repeat(32)}`, false],
])('the player %j: %j', (player, isKept) => {
  expect(attributesOf({ player })?.player).toBe(isKept ? player : '');
});

test('a view that told its start tells it with all that it tells', () => {
  const wait = { cause: 'start', outcome: 'waiting', waitMs: 0 } as const;
  expect(attributesOf({})).toMatchObject({ quality: '' });
  expect(attributesOf({ view: 'begun' })).toMatchObject({ quality: 'reported' });
  expect(attributesOf({ quality: { wait } })).toMatchObject({ quality: 'reported' });
  const stall = { ...wait, cause: 'stall' } as const;
  expect(attributesOf({ quality: { wait: stall } })).toMatchObject({ quality: '' });
});
