import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { answerFaults, createFaultNotes } from '../server/fault-answers.ts';
import { boundBodies, createBodyMemory } from './body-memory.ts';

const kib = 1_024;

test('what bodies hold beyond their first 16 KiB is bounded, all together', () => {
  const room = createBodyMemory(100 * kib);
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

test.each([
  ['the first 16 KiB are free', [16 * kib, 16 * kib], true],
  ['as much as there is room for', [66 * kib, 66 * kib], true],
  ['1 byte more', [66 * kib, 66 * kib + 1], false],
])('of two bodies, %s', (_, sizes, isTaken) => {
  const room = createBodyMemory(100 * kib);
  const hold = () => {
    for (const bytes of sizes) room().hold(bytes);
  };
  const fault = { code: 'UNAVAILABLE', message: 'Too many bodies are being received' };
  const expectation = isTaken ? expect(hold).not : expect(hold);
  expectation.toThrow(expect.objectContaining(fault));
});

test('the pieces of a body add up, and are given back once', () => {
  const room = createBodyMemory(100 * kib);
  const one = room();
  for (let piece = 0; piece < 116; piece += 1) one.hold(kib);
  expect(() => one.hold(1)).toThrow();
  one.release();
  one.release();
  const other = room();
  other.hold(116 * kib);
  expect(() => other.hold(1)).toThrow();
});

test('without being asked, 64 MiB are held', () => {
  const room = createBodyMemory();
  room().hold(64 * kib * kib + 16 * kib);
  expect(() => room().hold(16 * kib + 1)).toThrow();
});

/** A server that reads bodies of up to 1 MiB, and holds 50 KiB beside what is free. */
async function startServer() {
  const app = Fastify({ bodyLimit: kib * kib });
  answerFaults(app, createFaultNotes(systemClock, new Registry()));
  boundBodies(app, createBodyMemory(50 * kib));
  app.post('/', async () => 'taken');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const json = { 'content-type': 'application/json' };
  const post = async (bytes: number) => {
    const body = JSON.stringify('x'.repeat(bytes));
    const { status, headers } = await fetch(address, { method: 'POST', headers: json, body });
    return { status, retryAfter: headers.get('retry-after') };
  };
  const statusOf = async (bytes: number) => (await post(bytes)).status;
  return { app, address, post, statusOf };
}

test('a body that is given up gives back its room', async () => {
  const { app, address, post, statusOf } = await startServer();
  expect(await statusOf(60 * kib)).toBe(200);
  const slow = connect(Number(new URL(address).port), '127.0.0.1');
  slow.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`);
  slow.write(`content-length: ${100 * kib}\r\n\r\n"${'x'.repeat(40 * kib)}`);
  await waitUntil('its room to be taken', async () => (await statusOf(60 * kib)) === 503);
  expect(await post(60 * kib)).toEqual({ status: 503, retryAfter: '5' });
  slow.destroy();
  await waitUntil('its room to be free', async () => (await statusOf(60 * kib)) === 200);
  expect(await statusOf(60 * kib)).toBe(200);
  await app.close();
});

test('a body that does not say how long it is, is bounded too', async () => {
  const { app, address, statusOf } = await startServer();
  const stream = async (bytes: number) => {
    const headers = { 'content-type': 'application/json' };
    const body = new Blob([JSON.stringify('x'.repeat(bytes))]).stream();
    const init = { method: 'POST', headers, body, duplex: 'half' };
    return (await fetch(address, init as RequestInit)).status;
  };
  expect(await stream(60 * kib)).toBe(200);
  expect(await stream(70 * kib)).toBe(503);
  expect(await statusOf(60 * kib)).toBe(200);
  await app.close();
});

test('a body in single bytes is read whole', async () => {
  const { app, address } = await startServer();
  const text = JSON.stringify('x'.repeat(20_000));
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(address, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asked.on('error', reject);
    for (const letter of text) asked.write(letter);
    asked.end();
  });
  expect(status).toBe(200);
  await app.close();
});

test('bodies that are read or refused leave no room taken', async () => {
  const { app, statusOf } = await startServer();
  for (const [bytes, status] of [60, 70, 60, 60].map((size) => [size, size > 66 ? 503 : 200])) {
    expect(await statusOf((bytes ?? 0) * kib)).toBe(status);
  }
  await app.close();
});

test('a body that nobody reads is not in the way of the next request', async () => {
  const app = Fastify();
  boundBodies(app, createBodyMemory());
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
