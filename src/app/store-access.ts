/** The configured ClickHouse server or cluster. */
import type { Config } from '../config/config.ts';
import { separated } from '../config/setting-types.ts';
import type { StoreAccess } from '../store/open-store.ts';

/** Undefined: the engine that the service starts. */
export function configuredStore(config: Config): StoreAccess | undefined {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster } = config;
  if (url === undefined) return undefined;
  const access = {
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
  };
  if (cluster === undefined) return { ...access, url };
  return { ...access, cluster, urls: separated(url) };
}

/** For people, without what is secret. */
export function nameOfStore(config: Config): string {
  const store = configuredStore(config);
  if (store === undefined) return 'ClickHouse, in the data folder';
  const hostOf = (url: string) => new URL(url).host;
  const place =
    'cluster' in store
      ? `cluster ${store.cluster} on ${store.urls.map(hostOf).join(', ')}`
      : `on ${hostOf(store.url)}`;
  return `ClickHouse ${place}, database ${store.database}`;
}
