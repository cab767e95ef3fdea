/**
 * Where webhooks may go. An account names the receiver, so the service must not become its way into
 * the operator's network: every address is checked when it is connected to, because a name may
 * mean another address then than when it was looked up before.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { assert } from '../../lib/assert.ts';
import type { Networks } from '../../lib/network/network-list.ts';
import { readNetworks } from '../../lib/network/network-list.ts';

/**
 * What the registries of IANA keep out of the public network, what carries IPv4 in IPv6, and the
 * address at which Azure answers each machine from within.
 */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  '168.63.129.16/32',
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...[
    '::/128',
    '::1/128',
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
  ],
  ...['2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10'],
  ...['fec0::/10', 'ff00::/8'],
];

const isSpecial = parseNetworks(special.join(','));

export interface WebhookPolicy {
  /** What is not public and may be reached nonetheless, also without TLS. */
  readonly ownNetworks: Networks;
  /** Finds the addresses of a name; that of the system by default. */
  readonly resolve?: Resolve;
}

export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Thrown for a receiver that may not be reached. */
export class ForbiddenAddress extends Error {}

const bySystem: Resolve = (name, done) =>
  lookup(name, { all: true }, (error, addresses) => done(error, addresses ?? []));

/** Whether a webhook may be sent there; without TLS only to the operator's own networks. */
export function mayReach(address: string, isTls: boolean, { ownNetworks }: WebhookPolicy): boolean {
  if (ownNetworks(address)) return true;
  return isTls && !isSpecial(address);
}

/** Throws ForbiddenAddress for a host that is an address, for which nothing is looked up. */
export function checkHost(host: string, isTls: boolean, policy: WebhookPolicy): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !mayReach(address, isTls, policy)) throw forbidden(isTls);
}

/** For a connection: it is made to the addresses that this answers, and to no other. */
export function allowedLookup(isTls: boolean, policy: WebhookPolicy): LookupFunction {
  const resolve = policy.resolve ?? bySystem;
  return (name, options, done) => {
    resolve(name, (error, found) => {
      const allowed = found.filter(({ address }) => mayReach(address, isTls, policy));
      const [first] = allowed;
      if (error) done(error, []);
      else if (!first) done(forbidden(isTls), []);
      else if (options.all) done(null, [...allowed]);
      else done(null, first.address, first.family);
    });
  };
}

function forbidden(isTls: boolean): ForbiddenAddress {
  const why = isTls ? 'its address is not public' : 'without TLS only WEBHOOK_NETWORKS are reached';
  return new ForbiddenAddress(`${why}; the operator may allow it by WEBHOOK_NETWORKS`);
}

function parseNetworks(text: string): Networks {
  const networks = readNetworks(text);
  assert(networks, 'the list of networks can be read');
  return networks;
}
