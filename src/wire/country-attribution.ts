/** What the licence of the countries that come with the service asks to be shown beside them. */
export const countryAttribution = {
  text: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com',
  licence: 'CC BY 4.0',
} as const;
