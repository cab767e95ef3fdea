/** The networks that IP addresses are in. */
import { isIPv6 } from 'node:net';

/**
 * An IPv6 /48 network may do as much as so many addresses. More than one, as it may be a campus, or
 * hold the phones of a mobile operator.
 */
export const addressesOfSite = 16;

/** For IPv6 the first 64 bits: the owner of one address there owns all the others too. */
export function findNetwork(address: string): string {
  // Nearly all are of IPv4, and this is asked several times for a request.
  if (!address.includes(':')) return address;
  return firstGroups(address, 4) ?? mappedIn(address) ?? address;
}

/** For IPv6 the first 48 bits, which one customer may get: 65,536 of the networks above. */
export function findSite(address: string): string | undefined {
  const groups = firstGroups(address, 3);
  return groups === undefined ? undefined : `${groups}::/48`;
}

/** The first 24 bits of an IPv4 address, 48 of IPv6: too little to be that of one household. */
export function cutAddress(address: string): string {
  const groups = firstGroups(address, 3);
  if (groups !== undefined) return groups;
  return (mappedIn(address) ?? address).split('.').slice(0, 3).join('.');
}

/** So many groups of 16 bits of an IPv6 address; undefined for any other, also one mapped. */
function firstGroups(address: string, count: number): string | undefined {
  if (!address.includes(':')) return undefined;
  if (mappedIn(address) !== undefined || !isIPv6(address)) return undefined;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** The IPv4 address in an IPv6 one. */
function mappedIn(address: string): string | undefined {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
}
