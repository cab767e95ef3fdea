/** What the HTTP edge takes from the configuration. */
import type { Config } from '../../config/config.ts';
import type { AppParts } from '../../http/app.ts';
import type { ConnectionLimits } from '../../http/server/connection-limits.ts';
import { assert } from '../../lib/assert.ts';
import {
  type Networks,
  readNetworks,
  readTrustedProxies,
  type TrustedProxies,
} from '../../lib/network/network-list.ts';
import { limitNames } from '../../wire/management/service.ts';

type EdgeSettings = Pick<
  AppParts,
  | 'contentUrl'
  | 'publicUrl'
  | 'corsOrigins'
  | 'requestsPerMinute'
  | 'collectsPerMinute'
  | 'pagesPerMinute'
  | 'managesPerMinute'
  | 'wrongKeysPerMinute'
  | 'trustedProxies'
  | 'countryHeader'
  | 'isOperatorNetwork'
  | 'connectionLimits'
  | 'limitSettings'
>;

/** What is wrong with the settings, although the service can start with them. */
interface Log {
  warn(fields: object | string, message?: string): void;
}

export function createHttpOptions(config: Config, logger: Log): EdgeSettings {
  const connections = connectionLimits(config, mostOpenFiles(), logger);
  const known = {
    ...config,
    MAX_CONNECTIONS: connections.inAll,
    MAX_CONNECTIONS_PER_ADDRESS: connections.ofAddress,
  };
  return {
    contentUrl: config.CONTENT_URL,
    publicUrl: config.PUBLIC_URL,
    corsOrigins: config.CORS_ORIGINS.split(',').map((origin) => origin.trim()),
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    collectsPerMinute: config.COLLECT_LIMIT_PER_MINUTE,
    pagesPerMinute: config.PAGE_LIMIT_PER_MINUTE,
    managesPerMinute: config.MANAGE_LIMIT_PER_MINUTE,
    wrongKeysPerMinute: config.WRONG_KEY_LIMIT_PER_MINUTE,
    isOperatorNetwork: readOperatorNetworks(config),
    trustedProxies: findTrustedProxies(config, logger),
    countryHeader: config.GEO_HEADER,
    connectionLimits: divided(connections, config.WORKERS),
    limitSettings: limitNames.map((name) => ({ name, value: known[name] })),
  };
}

function readOperatorNetworks({ OPERATOR_NETWORKS: setting }: Config): Networks {
  const networks = readNetworks(setting);
  assert(networks, 'the configuration is checked');
  return networks;
}

function findTrustedProxies({ TRUST_PROXY: setting }: Config, logger: Log): TrustedProxies {
  if (setting === 'true') {
    logger.warn(
      'TRUST_PROXY=true believes all of X-Forwarded-For, so that anyone can claim any IP ' +
        'address: set it to the number of your proxies, or to their networks',
    );
  }
  const trusted = readTrustedProxies(setting);
  assert(trusted, 'the configuration is checked');
  return trusted;
}

/** Beyond these, memory is the bound: each takes some 20 KB. */
const usualConnections = 16_384;
/** Of the files that may be open; the others are for stores, the journal and media. */
const shareOfFiles = 3 / 4;
/** Of all connections: three addresses together leave room for others. */
const shareOfAddress = 1 / 4;

/** `files`: how many the system lets this process open. */
export function connectionLimits(
  config: Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS'>,
  files: number,
  logger: Log,
): ConnectionLimits {
  const most = Math.max(1, Math.floor(files * shareOfFiles));
  const { MAX_CONNECTIONS: wanted = Math.min(most, usualConnections) } = config;
  if (wanted > most) {
    logger.warn({ files, connections: most }, 'MAX_CONNECTIONS was lowered: raise `ulimit -n`');
  }
  const inAll = Math.min(wanted, most);
  const ofAddress =
    config.MAX_CONNECTIONS_PER_ADDRESS ?? Math.max(1, Math.floor(inAll * shareOfAddress));
  return { inAll, ofAddress };
}

/** Of each of so many processes, which get new connections in turn. */
function divided({ inAll, ofAddress }: ConnectionLimits, processes: number): ConnectionLimits {
  return {
    inAll: Math.ceil(inAll / processes),
    ofAddress: Math.ceil(ofAddress / processes),
  };
}

/** The limit `ulimit -n` of this process. */
export function mostOpenFiles(): number {
  // Otherwise it asks for the names of all addresses that are connected.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  const soft = report.userLimits?.open_files?.soft;
  // Not every system has such a limit.
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
