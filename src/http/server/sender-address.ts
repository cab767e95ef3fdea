/** The one place that decides which IP address a request comes from. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { readCountryCode } from '../../collect/enrich/country/country-codes.ts';
import type { Networks, TrustedProxies } from '../../lib/network/network-list.ts';

/** What of a request shows where it comes from. */
export interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Empty if the connection has no address, or no longer. */
export type SenderAddress = (request: Sent) => string;

export interface FoundSender {
  readonly address: string;
  /** False if a trusted proxy wrote what is no address: then it is that of the last known proxy. */
  readonly isCertain: boolean;
}

type FindSender = (request: Sent) => FoundSender;

/**
 * Each proxy adds the address that it was reached from at the right end of `X-Forwarded-For`. So
 * the list is read from there, as far as trusted proxies wrote it: what stands further left, anyone
 * can have sent.
 */
export function createFindSender(isTrusted: TrustedProxies): FindSender {
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? '';
    const list = headers['x-forwarded-for'];
    if (list === undefined || !isTrusted(address, 0)) return { address, isCertain: true };
    const forwarded = String(list).split(',');
    for (let hop = 0; isTrusted(address, hop); hop += 1) {
      const item = forwarded.pop();
      if (item === undefined) break;
      const next = addressIn(item);
      // What is no address says nothing: the sender is then the last one that is known.
      if (isIP(next) === 0) return { address, isCertain: false };
      address = next;
    }
    return { address, isCertain: true };
  };
}

export function senderAddress(isTrusted: TrustedProxies): SenderAddress {
  const findSender = createFindSender(isTrusted);
  return (request) => findSender(request).address;
}

/** Some proxies write the port too: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function addressIn(item: string): string {
  const text = item.trim();
  const [, inBrackets, beforePort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}

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

export type IsOperator = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

interface OperatorParts {
  readonly isOperatorNetwork: Networks;
  readonly findSender: FindSender;
  /** Whether the other end of a connection is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
}

const headersOfProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Who may read what is for the operator without a key: by the network of the request. */
export function recognizeOperator(parts: OperatorParts): IsOperator {
  const { isOperatorNetwork, findSender, isProxy } = parts;
  return (request) => {
    const { headers, socket } = request;
    // Behind a proxy that is not trusted, everybody seems to come from its address.
    const isBehindOne = headersOfProxies.some((name) => headers[name] !== undefined);
    if (isBehindOne && !isProxy(socket.remoteAddress ?? '')) return false;
    // An address that is not certain is that of a proxy, which may well be in these networks.
    const { address, isCertain } = findSender(request);
    return isCertain && isOperatorNetwork(address);
  };
}
