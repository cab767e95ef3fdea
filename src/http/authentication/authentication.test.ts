/** What the log says of refused keys; what callers are answered: test/api/authentication.test.ts. */
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createLog } from '../../app/log/service-log.ts';
import { createProcessLimiters } from '../../lib/limits/limiter.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { toReadStatistics } from '../../vocabulary/member-roles.ts';
import { createAuthenticate } from './authentication.ts';

async function start(wrongKeysPerMinute = 100) {
  const clock = manualClock();
  const lines: string[] = [];
  const logger = createLog({
    level: 'info',
    clock,
    stream: { write: (line) => void lines.push(line) },
  });
  const catalog = await openCatalogAlone();
  const { accountId } = accepted(await catalog.accounts.create({ name: 'A', timeZone: 'UTC' }));
  const { secret } = accepted(await catalog.keys.create({ accountId, scopes: ['info:read'] }));
  const { authenticate } = createAuthenticate({
    ...{ clock, logger, keys: catalog.keys, sessions: catalog.sessions, wrongKeysPerMinute },
    limiterOf: createProcessLimiters(clock),
    addressOf: ({ headers }) => String(headers['x-from']),
  });
  const app = Fastify();
  app.get('/videos/:id', async (request, reply) => authenticate(request, reply, toReadStatistics));
  onTestFinished(async () => {
    await app.close();
    await catalog.close();
  });
  const ask = async (key: string, from = '203.0.113.7') => {
    await app.inject({ url: '/videos/3?x=y', headers: { 'x-api-key': key, 'x-from': from } });
  };
  const askWithSession = async (token: string) => {
    const headers = { cookie: `playmeter=${token}`, 'x-requested-with': 'playmeter' };
    await app.inject({ url: '/videos/3', headers: { ...headers, 'x-from': '203.0.113.8' } });
  };
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { clock, lines, entries, ask, askWithSession, secret };
}

test('a refused key: why, where, from which address, and what may be shown of it', async () => {
  const { clock, lines, entries, ask, secret } = await start();
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
  await ask(wrong);
  clock.advance(1_000);
  await ask(secret, '2001:db8::1');
  const [prefix, route] = [secret.slice(0, 11), '/videos/:id'];
  expect(entries()).toMatchObject([
    {
      level: 40,
      msg: 'key refused',
      code: 'UNAUTHENTICATED',
      address: '203.0.113.7',
      prefix,
      route,
    },
    { code: 'FORBIDDEN', address: '2001:db8::1', prefix, route, refusals: 1 },
  ]);
  expect(lines.join('')).not.toContain(secret.slice(11, 30));
});

test('what is no key is not shown at all: it may be a password', async () => {
  const { lines, entries, ask } = await start();
  await ask('pm_password1');
  expect(entries()).toMatchObject([{ code: 'UNAUTHENTICATED', refusals: 1 }]);
  expect(lines.join('')).not.toContain('pm_');
});

test('a refused session is logged like a key, and nothing of its token is shown', async () => {
  const { lines, entries, askWithSession } = await start();
  const token = 'q'.repeat(43);
  await askWithSession(token);
  expect(entries()).toMatchObject([
    { msg: 'key refused', code: 'UNAUTHENTICATED', address: '203.0.113.8', route: '/videos/:id' },
  ]);
  expect(lines.join('')).not.toContain(token.slice(0, 8));
});

test('one entry a second, with how many there were', async () => {
  const { clock, entries, ask } = await start(3);
  for (let tried = 0; tried < 5; tried += 1) await ask('wrong');
  clock.advance(999);
  await ask('wrong');
  clock.advance(1);
  await ask('wrong');
  expect(entries()).toMatchObject([
    { code: 'UNAUTHENTICATED', refusals: 1 },
    { code: 'RATE_LIMITED', refusals: 6 },
  ]);
});
