/** Lists of IP networks, as they stand in the configuration: `loopback, 203.0.113.0/24`. */
import { BlockList, isIP } from 'node:net';

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  none: [],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether one of the networks holds the address; false for what is no address. */
export type Networks = (address: string) => boolean;

/** Undefined if one of the networks cannot be read. */
export function readNetworks(text: string): Networks | undefined {
  const list = new BlockList();
  for (const item of text.split(',').map((one) => one.trim())) {
    for (const network of named[item] ?? [item]) {
      if (!addNetwork(list, network)) return undefined;
    }
  }
  return (address) => {
    // Without the name of the interface: fe80::1%eth0.
    const [bare = ''] = address.split('%');
    const family = findFamily(bare);
    return family !== undefined && list.check(bare, family);
  };
}

function addNetwork(list: BlockList, network: string): boolean {
  const [, address = '', prefix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
  const family = findFamily(address);
  if (family === undefined) return false;
  const bits = family === 'ipv4' ? 32 : 128;
  if (Number(prefix ?? bits) > bits) return false;
  list.addSubnet(address, Number(prefix ?? bits), family);
  return true;
}

function findFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/**
 * Whether the address is a trusted proxy's. `hop` counts from this service outwards: 0 is the other
 * end of the connection.
 */
export type TrustedProxies = (address: string, hop: number) => boolean;

const mostHops = 32;

/**
 * Which proxies are believed when they name the address of a sender: the setting TRUST_PROXY.
 * `false`, `true`, the number of proxies, or their networks; undefined if it is none of these.
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false') return () => false;
  if (text === 'true') return () => true;
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= mostHops ? (_address, hop) => hop < hops : undefined;
  }
  return readNetworks(text);
}
