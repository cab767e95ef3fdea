/** The groups of the networks that connections come from, while they have any. */
import { networkOf, siteOf } from '../../lib/network/address-network.ts';
import { type ConnectionGroup, createConnectionGroup } from './connection-group.ts';

export interface NetworkConnections {
  /** The groups to which connections from this address belong, the smaller one first. */
  of(address: string): ConnectionGroup[];
  /** To be called when one has left them, or was not let in. */
  leave(address: string): void;
}

/** An IPv6 /48 network may have so many times the connections of one address: half of all. */
const siteShare = 2;

export function createNetworkConnections(
  ofAddress: number,
  onReplaced: () => void,
): NetworkConnections {
  const groups = new Map<string, ConnectionGroup>();
  const findGroup = (network: string, most: number): ConnectionGroup => {
    const group = groups.get(network) ?? createConnectionGroup(most, onReplaced);
    groups.set(network, group);
    return group;
  };
  return {
    of(address) {
      const own = findGroup(networkOf(address), ofAddress);
      const site = siteOf(address);
      return site === undefined ? [own] : [own, findGroup(site, ofAddress * siteShare)];
    },
    leave(address) {
      for (const network of [networkOf(address), siteOf(address)]) {
        if (network !== undefined && groups.get(network)?.size === 0) groups.delete(network);
      }
    },
  };
}
