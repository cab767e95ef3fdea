/** The crowds of the networks that connections come from, while they have any. */
import { networkOf } from '../lib/network-of.ts';
import { type Crowd, createCrowd } from './crowd.ts';

export interface NetworkCrowds {
  /** The crowd to which connections from this address belong. */
  of(address: string): Crowd;
  /** To be called when one has left it, or was not let in. */
  leave(address: string): void;
}

export function createNetworkCrowds(most: number, onReplaced: () => void): NetworkCrowds {
  const crowds = new Map<string, Crowd>();
  return {
    of(address) {
      const network = networkOf(address);
      const crowd = crowds.get(network) ?? createCrowd(most, onReplaced);
      crowds.set(network, crowd);
      return crowd;
    },
    leave(address) {
      const network = networkOf(address);
      if (crowds.get(network)?.size === 0) crowds.delete(network);
    },
  };
}
