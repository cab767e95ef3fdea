import { expect, test } from 'vitest';
import { findCountrySource } from './country-source.ts';

const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0';

test.each([
  [{}, { description: 'the database of DB-IP', attribution }],
  [
    { GEO_HEADER: 'CF-IPCountry' },
    { description: 'GEO_HEADER (CF-IPCountry), otherwise the database of DB-IP', attribution },
  ],
  [{ GEO_MMDB: '/var/a.mmdb' }, { description: 'the database of GEO_MMDB' }],
  [
    { GEO_HEADER: 'X-Country', GEO_MMDB: '/var/a.mmdb' },
    { description: 'GEO_HEADER (X-Country), otherwise the database of GEO_MMDB' },
  ],
])('with %j countries come from %j', (settings, expected) => {
  expect(findCountrySource(settings)).toEqual(expected);
});
