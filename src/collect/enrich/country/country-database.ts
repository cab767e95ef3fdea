import { Reader, type Response } from 'mmdb-lib';
import { readCountryCode } from './country-codes.ts';

/** Countries by IP address, from one file, whole in memory. */
export interface CountryDatabase {
  /** Code of the country; empty if none is known. */
  countryOf(address: string): string;
  readonly builtAtMs: number;
}

/** The member is `country.iso_code` at MaxMind, and a code by itself at others. */
interface CountryEntry {
  readonly country?: string | { readonly iso_code?: unknown };
  readonly country_code?: unknown;
}

/** Throws if the bytes are no MMDB database that knows countries. */
export function readCountryDatabase(bytes: Buffer): CountryDatabase {
  const reader = new Reader<Response>(bytes);
  const { buildEpoch, ipVersion } = reader.metadata;
  const read = (address: string): string => {
    const bare = bareAddress(address);
    if (ipVersion === 4 && bare.includes(':')) return '';
    const { country, country_code: code } = (reader.get(bare) ?? {}) as CountryEntry;
    return (
      readCountryCode(typeof country === 'object' ? country.iso_code : (code ?? country)) ?? ''
    );
  };
  // Throws where the tree or its data are damaged, and shows a database of something else.
  if (samples.every((address) => read(address) === '')) throw new Error('it knows no countries');
  return {
    builtAtMs: buildEpoch.getTime(),
    countryOf(address) {
      try {
        return read(address);
      } catch {
        // A damaged part that no sample met: no beacon is refused for it.
        return '';
      }
    },
  };
}

/** Of every network of 8 bits that may be public. */
const samples = Array.from({ length: 224 }, (_, index) => `${index}.0.0.1`);

/** Without the name of an interface, and IPv4 as such where a socket for both wrote it as IPv6. */
function bareAddress(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(?:([\d.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(bare);
  if (mapped === null) return bare;
  const [, dotted, high = '', low = ''] = mapped;
  if (dotted !== undefined) return dotted;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
