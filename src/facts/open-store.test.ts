/** How it is told whether a single server is there; one that hangs: test/faults/cluster.test.ts. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openRefusingWay } from '../../test/support/refusing-way.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { systemClock } from '../lib/clock.ts';
import { freePort } from '../lib/free-port.ts';
import { openStore } from './open-store.ts';
import { usualHostPatience } from './watch-hosts.ts';

function opened(differing: { readonly url?: string }) {
  const access = { ...inject('engineAccess'), database: 'default', ...differing };
  const parts = { metrics: new Registry(), clock: systemClock, logger: pino({ level: 'silent' }) };
  const patience = { ...usualHostPatience, answersWithinMs: 60_000 };
  const { store, whyNotReady } = openStore({ access: { ...access, patience }, ...parts });
  onTestFinished(() => store.close());
  return whyNotReady;
}

test('a server is there as soon as it answers', async () => {
  const whyNotReady = opened({});
  expect(whyNotReady()).toBe('The statistics store has not answered yet');
  await waitUntil('its answer', () => whyNotReady() === undefined);
});

test('one that refuses is there: what is asked of it says why it does not work', async () => {
  const way = await openRefusingWay(inject('engineAccess'));
  onTestFinished(() => way.close());
  const whyNotReady = opened({ url: way.url });
  await waitUntil('its answer', () => whyNotReady() === undefined);
});

test('one that takes no connection is not, for the reason that the system gives', async () => {
  const port = await freePort();
  const whyNotReady = opened({ url: `http://127.0.0.1:${port}` });
  const reason = `127.0.0.1:${port}: The statistics store does not answer: connect ECONNREFUSED`;
  await waitUntil('the reason', () => whyNotReady()?.startsWith(reason) ?? false);
});
