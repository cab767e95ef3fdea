/** Anyone may ask /readyz as often as they like; what it answers: test/api/operator.test.ts. */
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { addHealthRoutes, createAskHealth } from './health-routes.ts';

test('requests for /readyz that come at once ask the stores once, and later ones anew', async () => {
  const asked = { catalog: 0, facts: 0 };
  let answer = Promise.withResolvers<void>();
  const ask = (store: keyof typeof asked) => {
    asked[store] += 1;
    return answer.promise;
  };
  const app = Fastify();
  onTestFinished(() => app.close());
  addHealthRoutes(app, {
    askHealth: createAskHealth({
      catalog: { ping: () => ask('catalog') },
      facts: { ping: () => ask('facts'), whyNotReady: () => undefined },
      spool: { whyNotReady: () => undefined },
    }),
    role: 'all',
    metrics: new Registry(),
    isOperator: () => true,
    authenticateOperator: () => Promise.reject(new Error('nobody has a key')),
  });
  const readiness = () =>
    Array.from({ length: 100 }, async () => (await app.inject('/readyz')).json().statistics);

  const first = readiness();
  await app.inject('/healthz');
  answer.resolve();
  expect(new Set(await Promise.all(first))).toEqual(new Set(['ok']));
  expect(asked).toEqual({ catalog: 1, facts: 1 });

  answer = Promise.withResolvers<void>();
  const second = readiness();
  await app.inject('/healthz');
  answer.reject(new Error('gone'));
  expect(new Set(await Promise.all(second))).toEqual(new Set(['gone']));
  expect(asked).toEqual({ catalog: 2, facts: 2 });
});
