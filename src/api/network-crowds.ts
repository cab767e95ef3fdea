/** The crowds of the networks that connections come from, while they have any. */
import { networkOf, siteOf } from '../lib/network-of.ts';
import { type Crowd, createCrowd } from './crowd.ts';

export interface NetworkCrowds {
  /** The crowds to which connections from this address belong, the smaller one first. */
  of(address: string): Crowd[];
  /** To be called when one has left them, or was not let in. */
  leave(address: string): void;
}

/** An IPv6 /48 network may have so many times the connections of one address: half of all. */
const siteShare = 2;

export function createNetworkCrowds(ofAddress: number, onReplaced: () => void): NetworkCrowds {
  const crowds = new Map<string, Crowd>();
  const crowdOf = (network: string, most: number): Crowd => {
    const crowd = crowds.get(network) ?? createCrowd(most, onReplaced);
    crowds.set(network, crowd);
    return crowd;
  };
  return {
    of(address) {
      const own = crowdOf(networkOf(address), ofAddress);
      const site = siteOf(address);
      return site === undefined ? [own] : [own, crowdOf(site, ofAddress * siteShare)];
    },
    leave(address) {
      for (const network of [networkOf(address), siteOf(address)]) {
        if (network !== undefined && crowds.get(network)?.size === 0) crowds.delete(network);
      }
    },
  };
}
