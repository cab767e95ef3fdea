import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { configSections, readConfig, secretSettings } from '../../config/config.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { createLog, shownConfig } from './service-log.ts';

function open(level = 'info') {
  const clock = manualClock();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { clock, lines, log: createLog({ level, clock, stream }) };
}

const away = () =>
  new Fault('UNAVAILABLE', 'The store does not answer', { cause: new Error('ECONNREFUSED') });

test('an outage is one line a second, with its reason and without a stack', () => {
  const { clock, lines, log } = open();
  const part = log.child({ part: 'requests' });
  for (let ms = 0; ms <= 1_000; ms += 100) {
    log.error({ err: away() }, 'roll-up failed');
    part.warn({ err: away(), requests: 3 }, 'not available');
    clock.advance(100);
  }
  const reason = 'The store does not answer: ECONNREFUSED';
  expect(lines).toMatchObject([
    { msg: 'roll-up failed', reason, level: 50 },
    { msg: 'roll-up failed', reason, leftOut: 19 },
  ]);
  expect(lines[0]).not.toHaveProperty('leftOut');
  expect(JSON.stringify(lines)).not.toContain('    at ');
  clock.advance(1_000);
  part.warn({ err: away(), requests: 3 }, 'not available');
  expect(lines[2]).toMatchObject({
    msg: 'not available',
    part: 'requests',
    requests: 3,
    leftOut: 1,
  });
});

test('everything else is written as it comes, mistakes with their stack', () => {
  const { lines, log } = open();
  log.error({ err: away() }, 'away');
  log.error({ err: new Fault('INTERNAL', 'ours') }, 'request failed');
  log.error({ err: new TypeError('ours') }, 'request failed');
  log.info('engine is ready');
  log.debug('not at this level');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'away',
    'request failed',
    'request failed',
    'engine is ready',
  ]);
  expect(JSON.stringify(lines[2])).toContain('    at ');
});

test('whatever a message holds, it is one line, and only that', () => {
  const written: string[] = [];
  const stream = { write: (line: string) => void written.push(line) };
  const log = createLog({ level: 'info', clock: manualClock(), stream });
  const forged = 'x\n{"level":30,"msg":"engine is ready"}\r\u001b[2J';
  log.warn({ reason: forged }, 'away');
  expect(written.join('').split('\n')).toHaveLength(2);
  expect(written.join('')).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(JSON.parse(written.join(''))).toMatchObject({ reason: forged, msg: 'away' });
});

function openText() {
  const written: string[] = [];
  const stream = { write: (line: string) => void written.push(line) };
  const log = createLog({ level: 'debug', format: 'text', clock: manualClock(), stream });
  return { log, written: () => written.join('') };
}

test('as text a line has its instant, the level as a word, the message and what is known', () => {
  const { log, written } = openText();
  log.info({ processId: 7, host: 'a.example', why: 'two words' }, 'engine is ready');
  log.child({ requestId: 'r-1' }).warn('slow');
  log.debug('seen');
  const [first = '', ...others] = written().split('\n');
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}engine is ready /);
  expect(first).toMatch(/ processId=7 host=a\.example why="two words"$/);
  expect(others.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'WARN  slow requestId=r-1',
    'DEBUG seen',
    '',
  ]);
});

test('as text only what begins in the first column is a line of the log', () => {
  const { log, written } = openText();
  const forged = 'x\n2026-11-22T00:00:00.000Z INFO  all is well\u001b[2J';
  log.error({ err: new Error(forged), [forged]: forged }, forged);
  const lines = written().split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('    '))).toHaveLength(1);
  expect(written()).toContain('    at ');
  expect(written()).not.toMatch(/(?!\n)\p{Cc}/u);
});

const hidden = 'hidden'.repeat(8);

/** A value for each setting that takes a text, which has the secret wherever it can have one. */
function everySecret(): Record<string, string> {
  const settings = Object.values(configSections).flatMap((section) => Object.entries(section));
  const given: Record<string, string> = {
    CLICKHOUSE_CLUSTER: 'plays',
    CLICKHOUSE_URL: `http://ann:${hidden}@ch-1:8123,https://:${hidden}@ch-2:8123/p@th`,
    DATABASE_URL: `postgres://ann:${hidden}@db.example/stats?password=${hidden}#${hidden}`,
    SMTP_URL: `smtp://ann:${hidden}@mail.example:587`,
    MAIL_FROM: 'playmeter@mail.example',
    EXPORT_TO: 's3://my-exports/playmeter',
    BACKUP_TO: 's3://my-backups/playmeter',
    OIDC_CLIENT_ID: 'playmeter',
  };
  for (const [name, schema] of settings) {
    const { type, examples } = schema as { type?: string; examples?: readonly string[] };
    if (type !== 'string' || name in given) continue;
    const [example] = examples ?? [];
    if (secretSettings.has(name)) given[name] = hidden;
    else if (example?.includes('://')) given[name] = `https://ann:${hidden}@host.example/a`;
  }
  return given;
}

test('the configuration is shown without anything secret, whatever holds it', () => {
  const environment = everySecret();
  // Whatever is named like a secret is one.
  expect(Object.keys(environment)).toEqual(
    expect.arrayContaining([...secretSettings, 'PUBLIC_URL', 'CONTENT_URL', 'AWS_ENDPOINT_URL']),
  );
  const shown = shownConfig(readConfig(environment));
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(JSON.stringify(shown)).not.toContain('ann');
  expect(shown).toMatchObject({
    APP_SECRET: 'set',
    CLICKHOUSE_PASSWORD: 'set',
    DATABASE_URL: 'postgres://db.example/stats',
    CLICKHOUSE_URL: 'http://ch-1:8123,https://ch-2:8123/p@th',
    PUBLIC_URL: 'https://host.example/a',
    PORT: 8080,
  });
  const names = Object.values(configSections).flatMap((section) => Object.keys(section));
  const likeSecrets = names.filter((name) => /SECRET|PASSWORD|TOKEN|ACCESS_KEY/.test(name));
  // On or off.
  const exempt = [...secretSettings, 'PASSWORD_SIGN_IN'];
  expect(likeSecrets.filter((name) => !exempt.includes(name))).toEqual([]);
});

test('what is not set is not shown, and an empty secret not as one', () => {
  const shown = shownConfig(readConfig({}));
  expect(shown).not.toHaveProperty('APP_SECRET');
  expect(shown).toMatchObject({ CLICKHOUSE_PASSWORD: '', LOG_FORMAT: 'json', HOST: '127.0.0.1' });
});

test.each([
  ['postgres://ann:a,b@db.example/stats', 'postgres://db.example/stats'],
  ['postgres://ann:a%23b@db.example:5433/stats?password=c', 'postgres://db.example:5433/stats'],
  ['postgres://db.example', 'postgres://db.example'],
])('of %s %s is shown', (given, expected) => {
  const shown = shownConfig({ ...readConfig({}), DATABASE_URL: given });
  expect(shown.DATABASE_URL).toBe(expected);
});

test('of a URL that no program could read nothing is shown', () => {
  const shown = shownConfig({ ...readConfig({}), DATABASE_URL: 'postgres://ann:a#b@db.example' });
  expect(shown.DATABASE_URL).toBe('set');
});
