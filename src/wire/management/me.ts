/** What the service sees of a request: GET /manage/v1/me. */
import Type, { type Static } from 'typebox';
import { countryAttribution } from '../../vocabulary/country-source.ts';

export const Me = Type.Object(
  {
    summary: Type.String({
      description: 'All of it in a sentence',
      examples: [
        'You come from 203.0.113.9 by X-Forwarded-For of the trusted proxy 10.0.3.7, country DE ' +
          'by the database of the service',
      ],
    }),
    address: Type.String({
      description: 'IP address that the request comes from, as the service sees it',
      examples: ['203.0.113.9'],
    }),
    addressBy: Type.Enum(['X-Forwarded-For', 'connection'], {
      description:
        'Where the address comes from: the header of a trusted proxy, or the connection alone',
    }),
    connection: Type.String({
      description: 'IP address of the other end of the connection: of the proxy, if there is one',
      examples: ['10.0.3.7'],
    }),
    isTrustedProxy: Type.Boolean({
      description: 'Whether that is a trusted proxy, whose headers are believed; see TRUST_PROXY',
    }),
    ignoredHeaders: Type.Array(Type.String(), {
      description: 'Headers of the request with an address or a country that are not believed',
      examples: [['x-real-ip']],
    }),
    country: Type.Union([Type.String(), Type.Null()], {
      description: 'Code of the country, ISO 3166-1; null: not known',
      examples: ['DE'],
    }),
    countryBy: Type.Enum(['GEO_HEADER', 'GEO_MMDB', 'service', 'nothing'], {
      description:
        'Where the country comes from: the header of a trusted proxy, the database that is ' +
        'configured, or the one that comes with the service',
    }),
    attribution: Type.Union([Type.String(), Type.Null()], {
      description: 'To be shown beside countries of the database that comes with the service',
      examples: [`${countryAttribution.text} (${countryAttribution.url})`],
    }),
  },
  { title: 'Me', additionalProperties: false },
);
export type Me = Static<typeof Me>;
