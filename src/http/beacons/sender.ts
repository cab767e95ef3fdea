import type { IncomingHttpHeaders } from 'node:http';
import type { Sender } from '../../collect/draft.ts';
import { findNetwork, findSite } from '../../lib/network/address-network.ts';
import { canonicalOrigin } from '../../lib/network/origin.ts';
import type { ReportedCountry, Sent } from '../server/sender-address.ts';

/** An origin that is no site's, as browsers write it. */
const noSite = 'null';

/** What `Sec-Fetch-Site` says of requests that no page of another site can cause. */
const causedByNoOtherSite: readonly unknown[] = [undefined, 'none', 'same-origin'];

/** The sender of a request without a key, by its headers and its IP address. */
export type SenderOf = (request: Sent, address: string) => Sender;

export function createSenderReader(reportedCountry: ReportedCountry): SenderOf {
  return (request, address) => readSender(request.headers, address, reportedCountry(request));
}

function readSender(headers: IncomingHttpHeaders, address: string, country?: string): Sender {
  return {
    network: findNetwork(address),
    site: findSite(address),
    origin: readOrigin(headers),
    userAgent: headers['user-agent'],
    platform: one(headers['sec-ch-ua-platform']),
    platformVersion: one(headers['sec-ch-ua-platform-version']),
    address,
    country,
    wantsNoTracking: headers['sec-gpc'] === '1' || headers.dnt === '1',
  };
}

/**
 * The site whose page caused the request, as browsers write it in `Origin`; `null` if it is a site
 * that the browser hides, undefined if no page of another site did. An <img> sends no `Origin`, so
 * what else a browser says counts too.
 */
function readOrigin(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined) return headers.origin;
  if (headers.referer !== undefined) return originIn(headers.referer);
  return causedByNoOtherSite.includes(headers['sec-fetch-site']) ? undefined : noSite;
}

/** The origin of a URL; `null` if it has none. */
function originIn(url: string): string {
  const [start = ''] = /^[^:]*:\/\/[^/?#]*/.exec(url) ?? [];
  return canonicalOrigin(start) ?? noSite;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
