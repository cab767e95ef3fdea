import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { answerFaults, createFaultNotes } from './answer-faults.ts';
import { boundBodies, createBodyRoom } from './body-room.ts';

const kib = 1_024;

test('what bodies hold beyond their first 16 KiB is bounded, all together', () => {
  const room = createBodyRoom(100 * kib);
  const [one, other] = [room(), room()];
  one.hold(10 * kib);
  one.hold(96 * kib);
  other.hold(16 * kib);
  expect(() => other.hold(11 * kib)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  one.release();
  const third = room();
  third.hold(116 * kib);
  expect(() => other.hold(1)).toThrow();
});

test('a body that is given up gives back its room', async () => {
  const app = Fastify({ bodyLimit: 1_024 * kib });
  answerFaults(app, createFaultNotes());
  boundBodies(app, createBodyRoom(50 * kib));
  app.post('/', async () => 'taken');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const post = () =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(60 * kib)),
    });
  expect((await post()).status).toBe(200);

  const slow = connect(Number(new URL(address).port), '127.0.0.1');
  slow.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`);
  slow.write(`content-length: ${100 * kib}\r\n\r\n"${'x'.repeat(40 * kib)}`);
  await sleep(100);
  const refused = await post();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  slow.destroy();
  await sleep(100);
  expect((await post()).status).toBe(200);
  await app.close();
});

test('a body that nobody reads is not in the way of the next request', async () => {
  const app = Fastify();
  boundBodies(app, createBodyRoom());
  app.get('/', async () => 'taken');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'image/png', 'content-length': body.length };
      const asked = request(address, { agent, method, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      asked.on('error', reject).end(body);
    });
  const large = 'x'.repeat(500 * kib);
  expect(await ask('POST', large)).toBe(404);
  expect(await ask('GET', large)).toBe(200);
  expect(await ask('GET', '')).toBe(200);
  agent.destroy();
  await app.close();
});
