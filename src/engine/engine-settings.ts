/** The configuration files of the bundled engine: limited in memory, closed to everybody else. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthorization, type EngineAccess } from './running-engine.ts';

/** No insert and no merge begins with less to spare: one that runs out of room does damage. */
const spareBytes = 24 * 1_048_576;

/** The package of the engine, installed only on a platform that it is built for. */
export const enginePackage = '@chdb/lib-linux-x64-gnu/package.json';

/** What is in force for every statement; what concerns one stands with it. */
const ofStatements = {
  max_execution_time: 60,
  // Else it makes machine code of what it is asked for the third time, each function in 50 ms of a
  // processor: more than our questions gain by it. Asked six times each over a year with a million
  // views they took a tenth more.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
};

/**
 * With less for each of its threads a statement takes fewer than there are cores. By default it is
 * a gigabyte, which is all that the engine has: every statement would take one. Shards on one
 * machine have its cores for each other.
 */
const ofSingleEngine = { max_threads_min_free_memory_per_thread: 128 * 1_048_576 };

export interface EngineFiles {
  readonly folder: string;
  readonly configFile: string;
  readonly storeFolder: string;
}

interface EngineSettings extends Omit<EngineAccess, 'url'> {
  readonly folder: string;
  readonly memoryMb: number;
  readonly shard?: EngineShard | undefined;
}

/** A place in a cluster of engines on one machine, which share a user. */
export interface EngineShard {
  readonly cluster: string;
  /** The ports on which the engines speak with each other, by shard. */
  readonly ports: readonly number[];
  readonly ownPort: number;
}

export function writeEngineFiles(settings: EngineSettings): EngineFiles {
  const { folder } = settings;
  const storeFolder = join(folder, 'store');
  mkdirSync(storeFolder, { recursive: true, mode: 0o700 });
  const usersFile = join(folder, 'users.xml');
  const configFile = join(folder, 'config.xml');
  writeFileSync(usersFile, usersXml(settings), { mode: 0o600 });
  writeFileSync(configFile, configXml(usersFile, settings), { mode: 0o600 });
  return { folder, configFile, storeFolder };
}

// What makes an insert durable stands with the tables (store/migrations/migrations.ts), for every server.
function configXml(usersFile: string, settings: EngineSettings): string {
  const { memoryMb } = settings;
  // Of statements that fail the service writes its own lines, without what was bound to them.
  return `<clickhouse>
  <logger><console>0</console></logger>
  <users_config>${escapeXml(usersFile)}</users_config>
  <max_server_memory_usage>${memoryMb * 1024 * 1024}</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <index_mark_cache_size>16777216</index_mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <max_concurrent_queries>100</max_concurrent_queries>
  <storage_configuration>
    <disks><default><keep_free_space_bytes>${spareBytes}</keep_free_space_bytes></default></disks>
  </storage_configuration>
${handlersXml(settings)}${settings.shard ? shardXml(settings, settings.shard) : ''}
</clickhouse>
`;
}

function shardXml({ username, password }: EngineSettings, shard: EngineShard): string {
  const { cluster, ports, ownPort } = shard;
  const shards = ports.map(
    (port) => `
      <shard>
        <replica>
          <host>127.0.0.1</host>
          <port>${port}</port>
          <user>${escapeXml(username)}</user>
          <password>${escapeXml(password)}</password>
        </replica>
      </shard>`,
  );
  return `
  <tcp_port>${ownPort}</tcp_port>
  <remote_servers>
    <${cluster}>${shards.join('')}
    </${cluster}>
  </remote_servers>`;
}

/**
 * Only requests with our user's password reach anything: others are answered with 404, before the
 * engine looks at users. TRICKY: the whole header is compared and not the name in it, because a
 * parameter `user` in the URL goes before the header.
 */
function handlersXml(settings: EngineSettings): string {
  const authorization = createAuthorization(settings);
  return `  <http_handlers>
    <rule>
      <url>/ping</url>
      <methods>GET</methods>
      <handler><type>ping</type></handler>
    </rule>
    <rule>
      <headers><Authorization>${authorization}</Authorization></headers>
      <handler>
        <type>dynamic_query_handler</type>
        <query_param_name>query</query_param_name>
      </handler>
    </rule>
  </http_handlers>`;
}

/**
 * The engine's own session uses `default`, a user that must exist without a password and be let in
 * from 127.0.0.1: otherwise the engine crashes at its start. It may open the listener and nothing
 * else. All work is done by a user of ours, whose password is new at every start.
 */
function usersXml({ username, password, shard }: EngineSettings): string {
  const hash = createHash('sha256').update(password).digest('hex');
  const settings = Object.entries({ ...ofStatements, ...(shard ? {} : ofSingleEngine) }).map(
    ([name, value]) => `<${name}>${value}</${name}>`,
  );
  return `<clickhouse>
  <profiles><default>${settings.join('')}</default></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <no_password/>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${username}>
      <password_sha256_hex>${hash}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </${username}>
  </users>
</clickhouse>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
