/** What the service sees of a request: where it comes from, and which headers it believes. */
import type { Countries } from '../../collect/enrich/country/countries.ts';
import { countryAttribution } from '../../vocabulary/country-source.ts';
import type { Me } from '../../wire/management/me.ts';
import type { ReportedCountry, SenderAddress, Sent } from '../server/sender-address.ts';

export interface SenderParts {
  readonly addressOf: SenderAddress;
  readonly isProxy: (address: string) => boolean;
  readonly reportedCountry: ReportedCountry;
  /** The setting GEO_HEADER. */
  readonly countryHeader: string | undefined;
  readonly countries: Countries;
}

export function describeSender(sent: Sent, parts: SenderParts): Me {
  const connection = sent.socket.remoteAddress ?? '';
  const address = parts.addressOf(sent);
  const isTrustedProxy = parts.isProxy(connection);
  const addressBy = address === connection ? 'connection' : 'X-Forwarded-For';
  const reported = parts.reportedCountry(sent);
  const country = reported ?? (parts.countries.countryOf(address) || null);
  const countryBy = describeCountrySource(reported, country, parts);
  const believed = [
    ...(isTrustedProxy ? ['x-forwarded-for'] : []),
    ...(reported === undefined ? [] : [parts.countryHeader?.toLowerCase()]),
  ];
  const telling = [...headersOfAddresses, parts.countryHeader?.toLowerCase() ?? []].flat();
  const me = { address, addressBy, connection, isTrustedProxy, country, countryBy } as const;
  const { text, url } = countryAttribution;
  return {
    summary: summarize(me),
    ...me,
    ignoredHeaders: telling.filter(
      (name) => sent.headers[name] !== undefined && !believed.includes(name),
    ),
    attribution: countryBy === 'service' ? `${text} (${url})` : null,
  };
}

/** What proxies write a sender's address into; only the first of them is ever believed. */
const headersOfAddresses = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'cf-connecting-ip',
  'true-client-ip',
];

function describeCountrySource(
  reported: string | undefined,
  country: string | null,
  { countries }: Pick<SenderParts, 'countries'>,
): Me['countryBy'] {
  if (reported !== undefined) return 'GEO_HEADER';
  if (country === null) return 'nothing';
  return countries.isOurs ? 'service' : 'GEO_MMDB';
}

const countrySources: Readonly<Record<Me['countryBy'], string>> = {
  GEO_HEADER: 'by the header of the proxy',
  GEO_MMDB: 'by GEO_MMDB',
  service: 'by the database of the service',
  nothing: '',
};

type Seen = Omit<Me, 'summary' | 'ignoredHeaders' | 'attribution'>;

function summarize(me: Seen): string {
  // An address from the header is that of a trusted proxy: nobody else is believed.
  const way =
    me.addressBy === 'connection'
      ? `the connection, which is ${me.isTrustedProxy ? 'a' : 'no'} trusted proxy's`
      : `X-Forwarded-For of the trusted proxy ${me.connection}`;
  const country =
    me.country === null
      ? 'country not known'
      : `country ${me.country} ${countrySources[me.countryBy]}`;
  return `You come from ${me.address} by ${way}, ${country}`;
}
