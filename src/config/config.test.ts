import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function complaintsAbout(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n').slice(1);
  }
}

test('nothing has to be set, and empty counts as not set', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', CORS_ORIGINS: '*' });
  expect(config).not.toHaveProperty('DATABASE_URL');
  expect(readConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toEqual(config);
  expect(Object.isFrozen(config)).toBe(true);
});

describe('what is taken', () => {
  test.each([
    ['PORT', '0'],
    ['PORT', '65535'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', 'node-1.example'],
    ['PUBLIC_URL', 'https://media.example.com'],
    ['PUBLIC_URL', 'http://example.com:8080/stats/'],
    ['CONTENT_URL', 'https://cdn.example.com/v'],
    ['CORS_ORIGINS', 'https://a.example, http://localhost:3000,capacitor://localhost'],
    ['DATABASE_URL', 'postgres://user:p%40ss@db.example:5432/playmeter?sslmode=require'],
    ['DATABASE_URL', 'postgresql://127.0.0.1'],
    ['CLICKHOUSE_URL', 'https://ch.example:8443'],
    ['CLICKHOUSE_URL', 'http://127.0.0.1:8123'],
    ['RATE_LIMIT_PER_MINUTE', '1'],
    ['LOG_LEVEL', 'silent'],
    ['EXPORT_TO', '/var/lib/exports'],
    ['EXPORT_TO', 's3://my-exports'],
    ['EXPORT_FORMAT', 'jsonl'],
    ['EXPORT_ACCOUNTS', '1, 12'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '32'],
    ['TRUST_PROXY', 'loopback, private,203.0.113.9, 2001:db8::/32'],
  ])('%s=%s', (name, value) => {
    expect(complaintsAbout({ [name]: value })).toEqual([]);
    expect(String(readConfig({ [name]: value })[name as 'PORT'])).toBe(value);
  });
});

describe('what is refused, without showing it', () => {
  const web = (example: string) => `must be a URL such as ${example}`;
  const publicUrl = web('https://media.example.com');
  const origins = 'must be * or origins such as https://app.example.com, separated by commas';
  const port = 'must be a whole number from 0 to 65535';
  const proxies =
    'must be false, true, a number of proxies, or networks such as loopback, private, ' +
    '203.0.113.0/24';
  const database = web('postgres://user:password@127.0.0.1/playmeter');
  const servers = `${web('http://127.0.0.1:8123')}, or several that differ, separated by commas`;
  const schedule =
    'must be a cron expression of five parts that is due at some time, such as 30 4 * * *';
  const place = 'must be a folder or a place such as s3://my-exports/playmeter';
  test.each([
    ['PORT', '65536', port],
    ['PORT', '-1', port],
    ['PORT', '80.5', port],
    ['PORT', '0x50', port],
    ['PORT', ' 80', port],
    ['HOST', 'http://0.0.0.0', 'must be an IP address or a host name, such as 0.0.0.0'],
    ['HOST', '127.0.0.1:8080', 'must be an IP address or a host name, such as 0.0.0.0'],
    ['PUBLIC_URL', 'media.example.com', publicUrl],
    ['PUBLIC_URL', 'ftp://media.example.com', publicUrl],
    ['PUBLIC_URL', 'https:media.example.com', publicUrl],
    ['PUBLIC_URL', ' https://media.example.com', publicUrl],
    ['PUBLIC_URL', 'https://media.example.com?a=b', publicUrl],
    ['PUBLIC_URL', 'https://media.example.com#a', publicUrl],
    ['CONTENT_URL', '/content', web('https://cdn.example.com/videos')],
    ['CORS_ORIGINS', 'example.com', origins],
    ['CORS_ORIGINS', 'https://a.example/', origins],
    ['CORS_ORIGINS', 'https://A.example', origins],
    ['CORS_ORIGINS', 'https://a.example:443', origins],
    ['CORS_ORIGINS', '*,https://a.example', origins],
    ['CORS_ORIGINS', 'https://a.example,', origins],
    ['DATABASE_URL', 'mysql://root:hidden@127.0.0.1/shop', database],
    ['DATABASE_URL', 'postgres', database],
    ['CLICKHOUSE_URL', '127.0.0.1:8123', servers],
    ['CLICKHOUSE_URL', 'http://ch-1:8123,ch-2:8123', servers],
    ['CLICKHOUSE_URL', 'http://ch-1:8123,http://ch-1:8123', servers],
    ['CLICKHOUSE_URL', 'http://ch-1:8123,', servers],
    ['CLICKHOUSE_CLUSTER', "plays'", 'must be a name of letters, digits and _, such as playmeter'],
    ['CLICKHOUSE_URL', 'tcp://127.0.0.1:9000', servers],
    ['TRUST_PROXY', 'yes', proxies],
    ['TRUST_PROXY', '33', proxies],
    ['TRUST_PROXY', '-1', proxies],
    ['TRUST_PROXY', '10.0.0.0/33', proxies],
    ['TRUST_PROXY', '10.0.0', proxies],
    ['TRUST_PROXY', 'loopback,', proxies],
    ['TRUST_PROXY', 'proxy.example', proxies],
    ['APP_SECRET', 'hidden'.repeat(5), 'must not have fewer than 32 characters'],
    ['EXPORT_SCHEDULE', '30 4 * *', schedule],
    ['EXPORT_SCHEDULE', '0 0 30 2 *', schedule],
    ['EXPORT_TO', 's3://key:hidden@my-exports', place],
    ['EXPORT_TO', 'https://my-exports.example', place],
    ['EXPORT_FORMAT', 'xml', 'must be one of csv, jsonl, parquet'],
    ['EXPORT_ACCOUNTS', '1,two', 'must be all, or numbers of accounts separated by commas'],
    ['SNAPSHOT_LIFETIME_SECONDS', '0', 'must be a whole number from 1 to 604800'],
  ])('%s=%s', (name, value, complaint) => {
    expect(complaintsAbout({ [name]: value })).toEqual([`  ${name} ${complaint}`]);
  });

  test('every one at once', () => {
    const environment = {
      PORT: '99999',
      PUBLIC_URL: 'a',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: '',
    };
    const names = complaintsAbout(environment).map((line) => line.trim().split(' ')[0]);
    expect(names.sort()).toEqual(['DATABASE_URL', 'PORT', 'PUBLIC_URL']);
  });
});

describe('a scheduled backup', () => {
  const BACKUP_SCHEDULE = '0 3 * * *';
  test.each([
    [{ BACKUP_SCHEDULE, BACKUP_TO: '/backups' }, []],
    [{ VERIFY_SCHEDULE: '0 4 * * 0', CLICKHOUSE_URL: 'http://127.0.0.1:8123' }, []],
    [{ BACKUP_SCHEDULE }, ['BACKUP_SCHEDULE needs BACKUP_TO: where to']],
    [
      { BACKUP_SCHEDULE, BACKUP_TO: 's3://my-backups' },
      ['BACKUP_TO needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for an object store'],
    ],
    [
      { BACKUP_SCHEDULE, BACKUP_TO: '/backups', CLICKHOUSE_URL: 'http://127.0.0.1:8123' },
      [
        "BACKUP_SCHEDULE does nothing with CLICKHOUSE_URL: back up that server's data by its own " +
          'BACKUP',
      ],
    ],
    [{ BACKUP_KEEP: '0' }, ['BACKUP_KEEP must be a whole number from 1 to 10000']],
    [{ BACKUP_SCHEDULE: 'daily' }, [expect.stringMatching(/^BACKUP_SCHEDULE must be a cron/)]],
    [{ VERIFY_SCHEDULE: 'daily' }, [expect.stringMatching(/^VERIFY_SCHEDULE must be a cron/)]],
  ])('%j', (environment, complaints) => {
    expect(complaintsAbout(environment).map((line) => line.trim())).toEqual(complaints);
  });
});

describe('a scheduled export', () => {
  const EXPORT_SCHEDULE = '30 4 * * *';
  const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hidden' };
  test.each([
    [{ EXPORT_SCHEDULE, EXPORT_TO: '/exports' }, []],
    [{ EXPORT_SCHEDULE, EXPORT_TO: 's3://my-exports', ...key }, []],
    [{ EXPORT_SCHEDULE }, ['EXPORT_SCHEDULE needs EXPORT_TO: where to']],
    [
      { EXPORT_SCHEDULE, EXPORT_TO: 's3://my-exports' },
      ['EXPORT_TO needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for an object store'],
    ],
  ])('%j', (environment, complaints) => {
    expect(complaintsAbout(environment).map((line) => line.trim())).toEqual(complaints);
  });
});

describe('a cluster', () => {
  const CLICKHOUSE_URL = 'http://ch-1:8123, http://ch-2:8123';
  test.each([
    [{ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'plays' }, []],
    [
      { CLICKHOUSE_URL: 'http://127.0.0.1:8123', CLICKHOUSE_PROGRAM: './clickhouse' },
      ['CLICKHOUSE_PROGRAM does nothing with CLICKHOUSE_URL: unset one of them'],
    ],
    [
      { CLICKHOUSE_CLUSTER: 'plays' },
      ['CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL: the servers of the cluster'],
    ],
    [
      { CLICKHOUSE_URL },
      ['CLICKHOUSE_URL names several servers: CLICKHOUSE_CLUSTER must name their cluster'],
    ],
    [
      { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'plays', CLICKHOUSE_DATABASE: 'my-plays' },
      ['CLICKHOUSE_DATABASE must be a name of letters, digits and _ on a cluster'],
    ],
  ])('%j', (environment, complaints) => {
    expect(complaintsAbout(environment).map((line) => line.trim())).toEqual(complaints);
  });
});
