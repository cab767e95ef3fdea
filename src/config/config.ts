/** The only file that reads the environment: parsed once, against a schema, into a frozen value. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readNetworks, readTrustedProxies } from '../lib/network/network-list.ts';
import { usualSettings } from './abuse-settings.ts';
import { notifySettings } from './alert-settings.ts';
import { exportSettings, maintenanceSettings } from './maintenance-settings.ts';
import { peopleSettings } from './people-settings.ts';
import {
  checked,
  describeRequirement,
  httpUrl,
  httpUrls,
  isOrigin,
  isPlainName,
  isUrl,
  text,
  whole,
} from './setting-types.ts';

const monitoringSettings = {
  OPERATOR_NETWORKS: checked(
    text(
      'Networks from which /metrics and the reasons in /readyz are shown without a key: ' +
        'loopback, private, 203.0.113.0/24, or none',
      'loopback',
    ),
    (value) => readNetworks(value) !== undefined,
    'must be networks such as loopback, private, 203.0.113.0/24, or none',
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    description: 'Least severe level to log (to standard error)',
    default: 'info',
  }),
  LOG_FORMAT: Type.Enum(['json', 'text'], {
    description: 'JSON lines for programs, or text with the levels as words for people',
    default: 'json',
  }),
};

const placeSettings = {
  AWS_ACCESS_KEY_ID: Type.Optional(
    Type.String({ description: 'Id of the access key for places such as s3://BUCKET/PREFIX' }),
  ),
  AWS_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: 'The secret of that key' })),
  AWS_SESSION_TOKEN: Type.Optional(
    Type.String({ description: 'Session token that belongs to it, if it is temporary' }),
  ),
  AWS_REGION: text('Region of the buckets', 'us-east-1'),
  AWS_ENDPOINT_URL: Type.Optional(
    httpUrl(
      'URL of an object store that is not Amazon; it has buckets in its path',
      'https://minio.example.com',
    ),
  ),
  AWS_ENDPOINT_URL_S3: Type.Optional(
    httpUrl('The same; goes before AWS_ENDPOINT_URL', 'https://minio.example.com'),
  ),
};

const reach = {
  PORT: whole('TCP port to listen on; 0 picks a free one', 8080, 0, 65_535),
  HOST: checked(
    text('IP address or host name to listen on; 0.0.0.0 is every address', '127.0.0.1'),
    (value) => isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value),
    'must be an IP address or a host name, such as 0.0.0.0',
  ),
  PUBLIC_URL: Type.Optional(
    httpUrl('URL under which players and people reach the service', 'https://media.example.com'),
  ),
  CONTENT_URL: Type.Optional(
    httpUrl(
      'Base URL of the videos; default: PUBLIC_URL + /content',
      'https://cdn.example.com/videos',
    ),
  ),
  CORS_ORIGINS: checked(
    text('Origins whose pages may send requests with a key, separated by commas; * is any', '*'),
    (value) => value.trim() === '*' || value.split(',').every((one) => isOrigin(one.trim())),
    'must be * or origins such as https://app.example.com, separated by commas',
  ),
  TRUST_PROXY: checked(
    text(
      'Proxies whose X-Forwarded-For is believed: how many (1), or their networks (loopback, ' +
        'private, 203.0.113.0/24); see docs/proxy.md before you set it to true',
      'false',
    ),
    (value) => readTrustedProxies(value) !== undefined,
    'must be false, true, a number of proxies, or networks such as loopback, private, ' +
      '203.0.113.0/24',
  ),
  GEO_HEADER: Type.Optional(
    checked(
      Type.String({
        description:
          "Header in which a trusted proxy writes the viewer's country, as its ISO 3166-1 code; " +
          'see docs/proxy.md',
        examples: ['CF-IPCountry'],
      }),
      (value) => /^[a-z0-9][a-z0-9-]{0,63}$/i.test(value),
      'must be the name of a header, such as CF-IPCountry',
    ),
  ),
  GEO_MMDB: Type.Optional(
    Type.String({
      description:
        'Database of countries by IP address, in the format MMDB; read again when it changes; ' +
        'default: the one that comes with the service',
      examples: ['/var/lib/GeoIP/GeoLite2-Country.mmdb'],
    }),
  ),
};

const postgresExample = 'postgres://user:password@127.0.0.1/playmeter';

const processes = {
  WORKERS: whole(
    'Processes that answer on the port; see docs/scaling.md for when more than one helps',
    1,
    1,
    64,
  ),
  ICU_TIMEZONE_FILES_DIR: Type.Optional(
    Type.String({
      description:
        'Folder with newer time zone rules than the pinned Node has, as files of ICU; the same on ' +
        'all nodes; see docs/operating.md',
      examples: ['/var/lib/playmeter/time-zones'],
    }),
  ),
};

const storage = {
  DATA_DIR: text('Data folder: catalog, facts and secret', './data'),
  APP_SECRET: Type.Optional(
    Type.String({
      description:
        'Secret for continuation tokens, player-log sessions, named viewers, and stored secrets ' +
        'of signing and webhooks; the same on all nodes; default: generated into DATA_DIR',
      minLength: 32,
    }),
  ),
  DATABASE_URL: Type.Optional(
    checked(
      Type.String({
        description: 'PostgreSQL database for the catalog; default: SQLite in DATA_DIR',
        examples: [postgresExample],
      }),
      (value) => isUrl(value, ['postgres:', 'postgresql:']),
      `must be a URL such as ${postgresExample}`,
    ),
  ),
  CLICKHOUSE_URL: Type.Optional(
    httpUrls(
      'ClickHouse server for the facts, or the servers of CLICKHOUSE_CLUSTER, separated by ' +
        'commas; default: the engine that the service starts itself, in DATA_DIR',
      'http://127.0.0.1:8123',
    ),
  ),
  CLICKHOUSE_PROGRAM: Type.Optional(
    Type.String({
      description:
        'Program of ClickHouse that the service starts as its engine, by path or name; default: ' +
        'the bundled engine or, where there is none, `clickhouse` on the PATH',
      examples: ['./clickhouse'],
    }),
  ),
  CLICKHOUSE_CLUSTER: Type.Optional(
    checked(
      Type.String({
        description: 'Cluster of those servers, as in their remote_servers; see docs/scaling.md',
        examples: ['playmeter'],
      }),
      isPlainName,
      'must be a name of letters, digits and _, such as playmeter',
    ),
  ),
  CLICKHOUSE_USER: text('User on that server', 'default'),
  CLICKHOUSE_PASSWORD: text('Password of that user', ''),
  CLICKHOUSE_DATABASE: text('Database on that server', 'playmeter'),
  ENGINE_MEMORY_MB: whole(
    'Memory limit of the engine that the service starts, in MB',
    1_024,
    256,
    1_048_576,
  ),
};

const answers = {
  MAX_CONNECTIONS: Type.Optional(
    Type.Integer({
      description:
        'Connections open at once; never more than three quarters of the files that a process ' +
        'may open (`ulimit -n`); default: 16,384, or as many as that allows',
      minimum: 1,
      maximum: 1_000_000,
    }),
  ),
  MAX_CONNECTIONS_PER_ADDRESS: Type.Optional(
    Type.Integer({
      description:
        'Connections open at once from one IP address, unless it is a trusted proxy; default: a ' +
        'quarter of MAX_CONNECTIONS',
      minimum: 1,
      maximum: 1_000_000,
    }),
  ),
  RATE_LIMIT_PER_MINUTE: whole(
    'Requests a minute to /report and /info from one key, or by one share from one IP address',
    600,
    1,
    1_000_000,
  ),
  ENGINE_SECONDS_PER_MINUTE: whole(
    "Seconds of the engine's time a minute for the questions of an account, and as many for those " +
      'of its shares; two minutes of them at once',
    40,
    1,
    10_000,
  ),
  COLLECT_LIMIT_PER_MINUTE: whole(
    'Requests a minute to /collect and the player log from one IP address without a key',
    60_000,
    1,
    100_000_000,
  ),
  PAGE_LIMIT_PER_MINUTE: whole(
    'Requests a minute for the tracker, pages and media from one IP address',
    6_000,
    1,
    100_000_000,
  ),
  MANAGE_LIMIT_PER_MINUTE: whole(
    'Requests a minute to /manage with one key, and as many from one IP address',
    3_000,
    1,
    1_000_000,
  ),
  WRONG_KEY_LIMIT_PER_MINUTE: whole(
    'Wrong keys that one IP address may try a minute; keys that worked before still work',
    60,
    1,
    1_000_000,
  ),
  VERSIONS_PER_DAY: whole(
    'Versions of systems, and of browsers, that an account counts on a day (UTC); else `Other`',
    200,
    1,
    10_000,
  ),
  VALUES_PER_DAY: whole(
    'Hosts, pages, referrers, players, values of each label that it counts on a day; else `Other`',
    1_000,
    1,
    10_000,
  ),
  NEW_VALUES_BY_ADDRESS: whole(
    'Once half of the places of a day for new values are used: how many of each kind one IP ' +
      'address (IPv6: /64 network; a /48 network four times as many) without a key may bring, and ' +
      'never more than a 16th of what is left; 0: no limit',
    40,
    0,
    10_000,
  ),
  SNAPSHOT_LIFETIME_SECONDS: whole(
    'How long further pages of an answer can be requested',
    3_600,
    1,
    604_800,
  ),
  SNAPSHOT_MB_PER_ACCOUNT: whole(
    'Answers kept for further pages, by account, in MB; beyond that the oldest expire',
    64,
    16,
    1_048_576,
  ),
  AUDIT_DAYS: whole(
    'Days for which audit entries are kept; see docs/operating.md for their number',
    400,
    1,
    36_500,
  ),
};

/** One entry a variable; docs/configuration.md is generated from it. */
export const configSections = {
  Addresses: reach,
  Processes: processes,
  Storage: storage,
  Limits: answers,
  'Unusual playback': usualSettings,
  'Signing in': peopleSettings,
  'Alerts and reports': notifySettings,
  'Object store': placeSettings,
  'Scheduled export': exportSettings,
  'Scheduled backup and verification': maintenanceSettings,
  Monitoring: monitoringSettings,
};

const ConfigSchema = Type.Object({
  ...reach,
  ...processes,
  ...storage,
  ...answers,
  ...usualSettings,
  ...peopleSettings,
  ...notifySettings,
  ...placeSettings,
  ...exportSettings,
  ...maintenanceSettings,
  ...monitoringSettings,
});

/** Nothing shows their values. Those of URLs are shown without user, password and parameters. */
export const secretSettings: ReadonlySet<string> = new Set<keyof Config>([
  'APP_SECRET',
  'CLICKHOUSE_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]);

export type Config = Readonly<Static<typeof ConfigSchema>>;

/** Rejects a bad environment with every error at once. Empty variables count as not set. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
    const value = environment[name];
    if (value === undefined || value === '') continue;
    const isWhole = Type.IsInteger(schema) && /^-?\d{1,15}$/.test(value);
    given[name] = isWhole ? Number(value) : value;
  }
  const config = Value.Default(ConfigSchema, given);
  if (!Value.Check(ConfigSchema, config)) {
    const lines = Value.Errors(ConfigSchema, config).map(({ instancePath, message }) => {
      const name = instancePath.slice(1) as keyof Config;
      return `${name} ${describeRequirement(ConfigSchema.properties[name]) ?? message}`;
    });
    throw new ConfigError(lines);
  }
  const conflicts = findConflicts(config);
  if (conflicts.length > 0) throw new ConfigError(conflicts);
  return Object.freeze({ ...config, DATA_DIR: resolve(config.DATA_DIR) });
}

export class ConfigError extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(`The environment is not valid:\n  ${complaints.join('\n  ')}`);
    this.complaints = complaints;
  }
}

interface RelatedSettings {
  readonly CLICKHOUSE_URL?: string;
  readonly CLICKHOUSE_PROGRAM?: string;
  readonly CLICKHOUSE_CLUSTER?: string;
  readonly CLICKHOUSE_DATABASE: string;
  readonly PUBLIC_URL?: string;
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly PASSWORD_SIGN_IN: string;
  readonly SMTP_URL?: string;
  readonly MAIL_FROM?: string;
  readonly EXPORT_SCHEDULE?: string;
  readonly EXPORT_TO?: string;
  readonly BACKUP_SCHEDULE?: string;
  readonly BACKUP_TO?: string;
  readonly AWS_ACCESS_KEY_ID?: string;
  readonly AWS_SECRET_ACCESS_KEY?: string;
}

/** What settings say of each other that cannot be: each alone is valid. */
function findConflicts(settings: RelatedSettings): string[] {
  const {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_CLUSTER: cluster,
    CLICKHOUSE_DATABASE: database,
  } = settings;
  const conflicts: string[] = [];
  if (cluster !== undefined && url === undefined) {
    conflicts.push('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL: the servers of the cluster');
  }
  if (settings.CLICKHOUSE_PROGRAM !== undefined && url !== undefined) {
    conflicts.push('CLICKHOUSE_PROGRAM does nothing with CLICKHOUSE_URL: unset one of them');
  }
  if (cluster === undefined && url?.includes(',')) {
    conflicts.push(
      'CLICKHOUSE_URL names several servers: CLICKHOUSE_CLUSTER must name their cluster',
    );
  }
  if (cluster !== undefined && !isPlainName(database)) {
    conflicts.push('CLICKHOUSE_DATABASE must be a name of letters, digits and _ on a cluster');
  }
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
    conflicts.push('SMTP_URL needs MAIL_FROM: the sender of mails');
  }
  const { OIDC_ISSUER: issuer } = settings;
  if (issuer !== undefined && !(settings.OIDC_CLIENT_ID && settings.PUBLIC_URL)) {
    conflicts.push('OIDC_ISSUER needs OIDC_CLIENT_ID and PUBLIC_URL');
  }
  if (issuer === undefined && settings.PASSWORD_SIGN_IN === 'off') {
    conflicts.push('PASSWORD_SIGN_IN=off needs OIDC_ISSUER: nobody could sign in');
  }
  if (settings.BACKUP_SCHEDULE !== undefined && url !== undefined) {
    conflicts.push(
      "BACKUP_SCHEDULE does nothing with CLICKHOUSE_URL: back up that server's data by its own " +
        'BACKUP',
    );
  }
  const works = ['EXPORT', 'BACKUP'] as const;
  return [...conflicts, ...works.flatMap((work) => findPlaceConflicts(work, settings))];
}

function findPlaceConflicts(work: 'EXPORT' | 'BACKUP', settings: RelatedSettings): string[] {
  const [schedule, to] = [settings[`${work}_SCHEDULE`], settings[`${work}_TO`]];
  if (schedule === undefined) return [];
  if (to === undefined) return [`${work}_SCHEDULE needs ${work}_TO: where to`];
  const hasKey = settings.AWS_ACCESS_KEY_ID !== undefined && settings.AWS_SECRET_ACCESS_KEY;
  if (!to.startsWith('s3://') || hasKey) return [];
  return [`${work}_TO needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for an object store`];
}
