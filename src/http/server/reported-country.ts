import { readCountryCode } from '../../collect/enrich/country/country-codes.ts';
import type { Sent } from './sender-address.ts';

/** The country of the viewer, if the proxy in front reports it: the setting GEO_HEADER. */
export type ReportedCountry = (request: Sent) => string | undefined;

/** `isProxy`: whether the other end of a connection is a trusted proxy; nobody else is believed. */
export function reportedCountry(
  header: string | undefined,
  isProxy: (address: string) => boolean,
): ReportedCountry {
  if (header === undefined) return () => undefined;
  const name = header.toLowerCase();
  return ({ headers, socket }) => {
    const code = readCountryCode(headers[name]);
    return code !== undefined && isProxy(socket.remoteAddress ?? '') ? code : undefined;
  };
}
