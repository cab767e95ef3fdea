import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operatingSystemNames } from '../operating-system/operating-system-names.ts';
import { createOperatingSystemReader } from '../operating-system/read-operating-system.ts';
import { browserNames, browserOfLibrary } from './browser-names.ts';
import { createClientReader } from './client-reader.ts';
import { deviceKinds } from './read-device-kind.ts';

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
