import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeEngineFiles } from './engine-settings.ts';

let folder: string;
beforeEach(async () => {
  // A name that would break the configuration if it stood there as it is.
  folder = join(await mkdtemp(join(tmpdir(), 'playmeter-settings-')), 'a <b> & c');
  return () => rm(join(folder, '..'), { recursive: true, force: true });
});

const write = (password = 'secret') =>
  writeEngineFiles({ folder, username: 'playmeter', password, memoryMb: 1_536 });

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

const authorization = Buffer.from('playmeter:secret').toString('base64');
const handlers = [
  '  <http_handlers>',
  '    <rule>',
  '      <url>/ping</url>',
  '      <methods>GET</methods>',
  '      <handler><type>ping</type></handler>',
  '    </rule>',
  '    <rule>',
  `      <headers><Authorization>Basic ${authorization}</Authorization></headers>`,
  '      <handler>',
  '        <type>dynamic_query_handler</type>',
  '        <query_param_name>query</query_param_name>',
  '      </handler>',
  '    </rule>',
  '  </http_handlers>',
];

test('the engine gets the memory it is allowed, and its users from a file of ours', async () => {
  const { configFile } = write();
  expect((await readFile(configFile, 'utf8')).split('\n')).toEqual([
    '<clickhouse>',
    '  <logger><console>0</console></logger>',
    `  <users_config>${join(folder, '..')}/a &lt;b&gt; &amp; c/users.xml</users_config>`,
    '  <max_server_memory_usage>1610612736</max_server_memory_usage>',
    '  <mark_cache_size>67108864</mark_cache_size>',
    '  <index_mark_cache_size>16777216</index_mark_cache_size>',
    '  <uncompressed_cache_size>0</uncompressed_cache_size>',
    '  <max_concurrent_queries>100</max_concurrent_queries>',
    '  <storage_configuration>',
    '    <disks><default><keep_free_space_bytes>25165824</keep_free_space_bytes></default></disks>',
    '  </storage_configuration>',
    ...handlers,
    '</clickhouse>',
    '',
  ]);
});

test('both users come from this machine; only the one with the password may do anything', async () => {
  write();
  const users = await readFile(join(folder, 'users.xml'), 'utf8');
  const hash = createHash('sha256').update('secret').digest('hex');
  expect(users).not.toContain('secret');
  expect(users).toMatch(/<(max_threads_min_free_memory_per_thread)>134217728<\/\1>/);
  const [, withoutPassword, ours] =
    /<default>(\s+<no_password.*?)<\/default>\s+<playmeter>(.*?)<\/playmeter>/s.exec(users) ?? [];
  const local = '<networks><ip>127.0.0.1</ip></networks>';
  expect(withoutPassword).toContain(local);
  expect(withoutPassword).toContain('<query>GRANT SYSTEM LISTEN ON *.*</query>');
  expect(ours).toContain(local);
  expect(ours).toContain(`<password_sha256_hex>${hash}</password_sha256_hex>`);
  expect(ours).not.toContain('<grants>');
});

test('nobody else on the machine reads the settings or the store', async () => {
  const { configFile, storeFolder } = write();
  expect(await modeOf(configFile)).toBe(0o600);
  expect(await modeOf(join(folder, 'users.xml'))).toBe(0o600);
  expect(await modeOf(storeFolder)).toBe(0o700);
  expect(await modeOf(folder)).toBe(0o700);
});

test('at the next start the settings are written anew, and the store stays', async () => {
  const before = write();
  const after = write('another');
  expect(after).toEqual(before);
  expect(after).toEqual({
    folder,
    configFile: join(folder, 'config.xml'),
    storeFolder: join(folder, 'store'),
  });
  const hash = createHash('sha256').update('another').digest('hex');
  expect(await readFile(join(folder, 'users.xml'), 'utf8')).toContain(hash);
});

test('an engine that is one of several knows where the others are', () => {
  const shard = { cluster: 'both', ports: [9_101, 9_102], ownPort: 9_101 };
  const { configFile } = writeEngineFiles({
    ...{ folder, username: 'playmeter', password: 'a&b', memoryMb: 1_536, shard },
  });
  const replica = (port: number) =>
    '<shard><replica><host>127.0.0.1</host>' +
    `<port>${port}</port><user>playmeter</user><password>a&amp;b</password></replica></shard>`;
  const servers = `<both>${replica(9_101)}${replica(9_102)}</both>`;
  expect(readFileSync(configFile, 'utf8').replaceAll(/\s+/g, '')).toContain(
    `<tcp_port>9101</tcp_port><remote_servers>${servers}</remote_servers>`,
  );
});
