/** The only file that reads the environment: parsed once, against a schema, into a frozen value. */
import { resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const text = (description: string, initial?: string) =>
  Type.String({ description, ...(initial === undefined ? {} : { default: initial }) });

const whole = (description: string, initial: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: initial, minimum, maximum });

const flag = (description: string) =>
  Type.Enum(['true', 'false'], { description, default: 'false' });

const addresses = {
  PORT: whole('TCP port the service listens on; 0 takes any free one', 8080, 0, 65_535),
  HOST: text('Address the service listens on; 0.0.0.0 is all of the machine', '127.0.0.1'),
  PUBLIC_URL: Type.Optional(text('Address under which players and people reach the service')),
  CONTENT_URL: Type.Optional(
    text('Content host that video addresses start with; default PUBLIC_URL + /content'),
  ),
  CORS_ORIGINS: text('Origins that may ask with a key from a browser, by commas; * is any', '*'),
  TRUST_PROXY: flag('Take the sender address from X-Forwarded-For: only behind a proxy of yours'),
};

const storage = {
  DATA_DIR: text('Folder of everything that is kept: catalog, facts, secret', './data'),
  APP_SECRET: Type.Optional(
    Type.String({
      description:
        'Key of the continuation tokens, the same on all nodes; default: generated into DATA_DIR',
      minLength: 32,
    }),
  ),
  DATABASE_URL: Type.Optional(
    text('PostgreSQL to keep the catalog in (postgres://...); default: SQLite in DATA_DIR'),
  ),
  CLICKHOUSE_URL: Type.Optional(
    text('ClickHouse server to keep the facts in; default: the bundled engine, in DATA_DIR'),
  ),
  CLICKHOUSE_USER: text('User on that server', 'default'),
  CLICKHOUSE_PASSWORD: text('Password of that user', ''),
  CLICKHOUSE_DATABASE: text('Database on that server', 'playmeter'),
  ENGINE_MEMORY_MB: whole('Most memory the bundled engine may use', 1_024, 256, 1_048_576),
};

const answers = {
  RATE_LIMIT_PER_MINUTE: whole(
    'Requests a minute that one key may send to /report and /info',
    600,
    1,
    1_000_000,
  ),
  COLLECT_LIMIT_PER_MINUTE: whole(
    'Requests a minute to /collect and of the player log that one address may send without a key',
    60_000,
    1,
    100_000_000,
  ),
  SNAPSHOT_LIFETIME_SECONDS: whole(
    'How long the further pages of an answer can be asked for',
    3_600,
    1,
    604_800,
  ),
};

const log = {
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    description: 'The least severe messages that are logged, to standard error',
    default: 'info',
  }),
};

/** One entry a variable; docs/configuration.md is generated from it. */
export const configSections = {
  'Where it is reached': addresses,
  'What it keeps, and where': storage,
  'What it answers': answers,
  'What it logs': log,
};

export const ConfigSchema = Type.Object({ ...addresses, ...storage, ...answers, ...log });

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
    const lines = Value.Errors(ConfigSchema, config).map((error) => {
      const allowed = error.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : '';
      return `${error.instancePath.slice(1)} ${error.message}${allowed}`;
    });
    throw new ConfigError(`The environment is not valid:\n  ${lines.join('\n  ')}`);
  }
  return Object.freeze({ ...config, DATA_DIR: resolve(config.DATA_DIR) });
}

export class ConfigError extends Error {}
