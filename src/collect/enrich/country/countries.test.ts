import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countryFile } from '../../../../test/support/country-file.ts';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { type Countries, openCountries } from './countries.ts';

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
