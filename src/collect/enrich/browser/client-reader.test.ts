import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOperatingSystemReader } from '../system/operating-system.ts';
import { operatingSystemNames } from '../system/operating-system-names.ts';
import { userAgentLimitChars } from '../user-agent-memory.ts';
import { browserNames, browserOfLibrary, hasMajor } from './browser-names.ts';
import { createClientReader } from './client-reader.ts';
import { deviceKinds } from './device-kind.ts';

const readSystem = createOperatingSystemReader();
const read = createClientReader();
const iPad =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15';

const lines = readFileSync(join(import.meta.dirname, 'user-agents.txt'), 'utf8').split('\n');
const known = lines.filter((line) => line !== '' && !line.startsWith('#'));

test.each(known)('%s', (line) => {
  const [device, browser, version, ...userAgent] = line.split(' | ');
  const text = userAgent.join(' | ');
  const client = read(text, readSystem({ userAgent: text }).name);
  const shown = [client.device, client.browser, client.browserVersion];
  expect(shown.map((value) => value || 'Unknown')).toEqual([device, browser, version]);
});

test('an iPad with the User-Agent of a Mac is a tablet where a hint names its system', () => {
  const hinted = readSystem({ userAgent: iPad, platform: 'iPadOS' }).name;
  expect(read(iPad, hinted)).toMatchObject({ device: 'tablet', browser: 'Safari' });
  expect(read(iPad, 'macOS')).toMatchObject({ device: 'desktop', browser: 'Safari' });
});

test('without a User-Agent only the system tells the kind of device', () => {
  expect(read(undefined, 'tvOS')).toEqual({ device: 'tv', browser: '', browserVersion: '' });
  expect(read(undefined, 'Unknown')).toEqual({ device: '', browser: '', browserVersion: '' });
});

const safari = (version: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

test.each([
  ['18.10', '18.10'],
  ['18.05', '18'],
  ['17.1.2', '17.1'],
  // Numbered as its system then was.
  ['19.2', '26.2'],
  ['20.0', ''],
])('Safari %s is Safari %j', (version, shown) => {
  expect(read(safari(version), 'macOS').browserVersion).toBe(shown);
});

test('Chrome had a version 19', () => {
  expect(read('Chrome/19.0', 'Windows').browserVersion).toBe('19');
});

test.each([
  ['Chrome', 0, false],
  ['Chrome', 1, true],
  ['Chrome', 19, true],
  ['Chrome', 250, true],
  ['Chrome', 251, false],
  ['Safari', 18, true],
  ['Safari', 19, false],
  ['Safari', 25, false],
  ['Safari', 26, true],
] as const)('%s has a version %i: %j', (name, major, expected) => {
  expect(hasMajor(name, major)).toBe(expected);
});

// Built on a browser that the library would name.
test.each([
  ['NAVER(inapp; search; 2000; 12.14.5)', 'NAVER', '12'],
  ['NAVER(inapp;search;2000;12.14.5)', 'NAVER', '12'],
  ['KAKAOTALK/25.8.2 (INAPP)', 'KakaoTalk', '25'],
  ['KAKAOTALK 25.8.2', 'KakaoTalk', '25'],
  ['DaumApps/12.2 DaumDevice/mobile', 'Daum', '12'],
  ['DaumApp 12.2', 'Daum', '12'],
  ['Line/15.17.1/IAB', 'LINE', '15'],
  ['Brave/143', 'Brave', '143'],
  ['Brave Chrome/143.0.0.0', 'Brave', '143'],
  ['Vivaldi/17.7', 'Vivaldi', '17'],
])('an app or browser that says %s beside Edge', (text, browser, browserVersion) => {
  const edge = 'Mozilla/5.0 (Linux; Android 10; K) Chrome/138.0.0.0 Safari/537.36 EdgA/138.0.0.0';
  expect(read(`${edge} ${text}`, 'Android')).toMatchObject({ browser, browserVersion });
});

test.each([
  ['other', 'Android', 'Wear OS'],
  ['other', 'Android', 'WearOS'],
  ['other', 'Tizen', '(Linux; Tizen 4.0; SM-R800) Mobile'],
  ['mobile', 'Android', '(Linux; Android 10; SM-R) Mobile'],
  ['tv', 'Android', 'SMART-TV Mobile'],
  ['tv', 'Android', 'Smart TV Mobile'],
  ['tv', 'Android', 'SmartTV Mobile'],
  ['mobile', 'Android', 'smart_tv Mobile'],
  ['tablet', 'Android', '(Android; Tablet; rv:26.0) Mobile'],
  ['tablet', 'Android', '(Tablet; rv:26.0) Mobile'],
  ['mobile', 'Android', '(Android; no Tablet) Mobile'],
  ['tablet', 'Android', '(Linux; Android 9; KFMAWI) Mobile'],
  ['tablet', 'Android', '(KFMAWI) Mobile'],
  ['tablet', 'Android', '(Linux; Android 9; Amazon_KFMAWI) Mobile'],
  ['mobile', 'Android', '(Linux; Android 9; KFMA) Mobile'],
  ['mobile', 'Android', '(Linux; Android 9; KF123) Mobile'],
  ['mobile', 'Android', '(Linux; Android 9; XKFMAWI) Mobile'],
] as const)('the kind is %s: %s, %s', (device, system, userAgent) => {
  expect(read(userAgent, system).device).toBe(device);
});

test('what stands behind a limit is not read', () => {
  const text = (before: number) => `${' '.repeat(before)}Chrome/143.0`;
  expect(read(text(userAgentLimitChars - 'Chrome/143.0'.length), 'Windows').browser).toBe('Chrome');
  expect(read(text(userAgentLimitChars), 'Windows').browser).toBe('');
});

test('each name is its own, however it is written', () => {
  for (const name of browserNames) expect(browserOfLibrary(name.toUpperCase())).toBe(name);
});

test('what a stranger makes up selects from the lists, and adds nothing', () => {
  const parts = known.flatMap((line) => line.split(/[ ;/()|]+/));
  const madeUp = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.nat().map(String), fc.string()), {
      maxLength: 40,
    })
    .chain((all) => fc.constantFrom(' ', '/', '; ').map((between) => all.join(between)));
  fc.assert(
    fc.property(madeUp, fc.constantFrom(...operatingSystemNames), (userAgent, system) => {
      const { device, browser, browserVersion } = createClientReader()(userAgent, system);
      expect(['', ...deviceKinds]).toContain(device);
      expect(['', ...browserNames]).toContain(browser);
      expect(browserVersion).toMatch(/^(?:[1-9]\d{0,2}(?:\.[1-9]\d?)?)?$/);
    }),
  );
});
