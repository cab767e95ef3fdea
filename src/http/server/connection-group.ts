/** Connections that share a bound, in the order in which they would have to make room. */
import type { ServerResponse } from 'node:http';
import { findNetwork, findSite } from '../../lib/network/address-network.ts';

export interface Connection {
  /** To the latest request on it, until it is sent. */
  answer: ServerResponse | undefined;
  /** How many requests have come on it. */
  requests: number;
  /** Takes it out of its groups and closes it. */
  close(): void;
}

export interface ConnectionGroup {
  readonly size: number;
  add(connection: Connection): void;
  /** It was answered for the first time: from now on it goes only after all that never were. */
  admit(connection: Connection): void;
  remove(connection: Connection): void;
  /** Closes one that waits for its sender, if the group is full. False if it stays full. */
  makeRoom(): boolean;
  /** Closes all on which no request has come; with `alsoIdle`, all that wait for their senders. */
  close(alsoIdle?: boolean): void;
}

/** So many are looked at to find one that can go: more would take too long for a newcomer. */
const mostLookedAt = 256;

/** Connections in the order in which they go, with the requests that had come when they joined. */
type Ranks = Map<Connection, number>;

export function createConnectionGroup(most: number, onReplaced: () => void): ConnectionGroup {
  const unanswered: Ranks = new Map();
  const answered: Ranks = new Map();
  const size = () => unanswered.size + answered.size;
  return {
    get size() {
      return size();
    },
    add(connection) {
      join(unanswered, connection);
    },
    admit(connection) {
      if (unanswered.delete(connection)) join(answered, connection);
    },
    remove(connection) {
      if (!unanswered.delete(connection)) answered.delete(connection);
    },
    makeRoom() {
      if (size() < most) return true;
      const idle = firstIdle(unanswered) ?? firstIdle(answered);
      idle?.close();
      if (idle) onReplaced();
      return idle !== undefined;
    },
    close(alsoIdle = false) {
      for (const connection of [...unanswered.keys(), ...answered.keys()]) {
        const goes = alsoIdle ? waitsForSender(connection) : connection.requests === 0;
        if (goes) connection.close();
      }
    },
  };
}

function join(ranks: Ranks, connection: Connection): void {
  ranks.set(connection, connection.requests);
}

/**
 * Those with a request since they joined are still where they were, and join again first: that
 * happens here, when one has to go, because requests come far more often.
 */
function firstIdle(ranks: Ranks): Connection | undefined {
  let looked = 0;
  for (const [connection, requests] of ranks) {
    if (connection.requests > requests) {
      ranks.delete(connection);
      join(ranks, connection);
      continue;
    }
    if (waitsForSender(connection)) return connection;
    looked += 1;
    if (looked === mostLookedAt) break;
  }
  return undefined;
}

/** Nothing is being done for it here: its sender has to send more. */
function waitsForSender({ answer }: Connection): boolean {
  if (!answer || answer.writableEnded) return true;
  // A body that nobody reads is not late: it waits for room here.
  return !answer.req.complete && answer.req.readableFlowing === true;
}

interface NetworkConnections {
  /** The groups to which connections from this address belong, the smaller one first. */
  of(address: string): ConnectionGroup[];
  /** To be called when one has left them, or was not let in. */
  leave(address: string): void;
}

/** An IPv6 /48 network may have so many times the connections of one address: half of all. */
const siteShare = 2;

/** The groups of the networks that connections come from, while they have any. */
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
      const own = findGroup(findNetwork(address), ofAddress);
      const site = findSite(address);
      return site === undefined ? [own] : [own, findGroup(site, ofAddress * siteShare)];
    },
    leave(address) {
      for (const network of [findNetwork(address), findSite(address)]) {
        if (network !== undefined && groups.get(network)?.size === 0) groups.delete(network);
      }
    },
  };
}
