/** The one place that decides which IP address a request comes from. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { TrustedProxies } from '../lib/trusted-proxies.ts';

/** What of a request shows where it comes from. */
export interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Empty if the connection has no address, or no longer. */
export type SenderAddress = (request: Sent) => string;

/**
 * Each proxy adds the address that it was reached from at the right end of `X-Forwarded-For`. So
 * the list is read from there, as far as trusted proxies wrote it: what stands further left, anyone
 * can have sent.
 */
export function senderAddress(isTrusted: TrustedProxies): SenderAddress {
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? '';
    if (!isTrusted(address, 0)) return address;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; isTrusted(address, hop); hop += 1) {
      const next = addressIn(forwarded.pop() ?? '');
      // What is no address says nothing: the sender is then the last one that is known.
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** Some proxies write the port too: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function addressIn(item: string): string {
  const text = item.trim();
  const [, inBrackets, beforePort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return inBrackets ?? beforePort ?? text;
}
