/** Where the countries of viewers come from, and what has to be shown beside them. */

/** What the licence of the countries that come with the service asks to be shown. */
export const countryAttribution = {
  text: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com',
  licence: 'CC BY 4.0',
} as const;

export interface CountrySource {
  /** Where the countries come from, as the service is configured. */
  readonly description: string;
  /** Absent if none of them are those that come with the service. */
  readonly attribution?: string;
}

interface CountrySettings {
  readonly GEO_HEADER?: string | undefined;
  readonly GEO_MMDB?: string | undefined;
}

/** A request without the header has its country from the database. */
export function findCountrySource({ GEO_HEADER, GEO_MMDB }: CountrySettings): CountrySource {
  const { text, url, licence } = countryAttribution;
  const database = GEO_MMDB ? 'the database of GEO_MMDB' : 'the database of DB-IP';
  return {
    description: GEO_HEADER ? `GEO_HEADER (${GEO_HEADER}), otherwise ${database}` : database,
    ...(!GEO_MMDB && { attribution: `${text} (${url}), ${licence}` }),
  };
}
