/** Which proxies are believed when they name the address of a sender: the setting TRUST_PROXY. */
import { readNetworks } from './network-list.ts';

/**
 * Whether the address is a trusted proxy's. `hop` counts from this service outwards: 0 is the other
 * end of the connection.
 */
export type TrustedProxies = (address: string, hop: number) => boolean;

const mostHops = 32;

/** `false`, `true`, the number of proxies, or their networks; undefined if it is none of these. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false') return () => false;
  if (text === 'true') return () => true;
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= mostHops ? (_address, hop) => hop < hops : undefined;
  }
  return readNetworks(text);
}
