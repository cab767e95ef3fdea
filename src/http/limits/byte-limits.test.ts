import { EventEmitter } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { answerFaults, createFaultNotes } from '../server/fault-answers.ts';
import {
  boundBodies,
  createBodyMemory,
  createUnsentAnswers,
  gatherPieces,
  type HoldUnsent,
  mostItemsIn,
} from './byte-limits.ts';

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

function passedOn(sizes: readonly number[]) {
  const gathering = gatherPieces();
  const pieces = sizes.map((size, index) => Buffer.alloc(size, index));
  return {
    pieces,
    ready: [...pieces.flatMap((piece) => gathering.add(piece)), ...gathering.rest()],
  };
}

test('a body of few pieces passes as it came', () => {
  const { pieces, ready } = passedOn([300, 1, 70_000]);
  expect(ready).toHaveLength(3);
  for (const [index, piece] of pieces.entries()) expect(ready[index]).toBe(piece);
});

test('a body in single bytes is kept in few pieces, which hold nothing else', () => {
  const { ready } = passedOn(Array<number>(100_000).fill(1));
  expect(ready.length).toBeLessThan(20);
  const held = new Set(ready.slice(8).map(({ buffer }) => buffer));
  const heldBytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(heldBytes).toBeLessThan(200_000);
});

const few = Array<number>(8).fill(1);
test.each<[string, readonly number[], readonly number[]]>([
  ['the ninth is gathered', [...few, 1, 1], [...few, 2]],
  ['a large one passes at once', [...few, 4_096], [...few, 4_096]],
  ['one a little smaller waits', [...few, 4_095, 5], [...few, 4_100]],
  ['what is gathered goes before it', [...few, 3, 4_096, 5_000, 2], [...few, 3, 4_096, 5_000, 2]],
  ['as much as has room', [...few, ...Array(4).fill(4_095), 4], [...few, 16_384]],
  ['more than that', [...few, ...Array(4).fill(4_095), 4, 1], [...few, 16_384, 1]],
])('of many pieces: %s', (_name, sizes, lengths) => {
  expect(passedOn(sizes).ready.map(({ length }) => length)).toEqual(lengths);
});

test('whatever the pieces, their bytes are all there, in order', () => {
  const size = fc.oneof(fc.nat(10), fc.nat(20_000), fc.constantFrom(4_095, 4_096, 16_384));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const { pieces, ready } = passedOn(sizes);
      expect(Buffer.concat(ready).equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});

test.each([
  [undefined, 10],
  ['0', 0],
  ['1', 1],
  ['128', 1],
  ['129', 2],
  ['1280', 10],
  ['1281', 10],
  ['9999999', 10],
])('a body of %s bytes has at most %i items, where 10 are the most', (length, items) => {
  const headers = { 'content-length': length };
  expect(mostItemsIn({ headers } as IncomingMessage, 10)).toBe(items);
});

const room = { ofAccount: 3_000_000, ofShares: 1_000_000, inAll: 5_000_000 };
let holdUnsent: HoldUnsent;
let limited: string[];
beforeEach(() => {
  limited = [];
  const note = ({ accountId }: { accountId: number }, reason: string) =>
    void limited.push(`${accountId} ${reason}`);
  holdUnsent = createUnsentAnswers(note, room);
});

const hold = (accountId: number, rows: number, shareId?: number) => {
  const response = Object.assign(new EventEmitter(), { closed: false });
  holdUnsent({ accountId, ...(shareId === undefined ? {} : { shareId }) }, rows, response);
  return response;
};
const tooMany = expect.objectContaining({ code: 'RATE_LIMITED' });

test('large answers of an account wait up to its room, and are gone when they are sent', () => {
  const [first] = [hold(1, 10_000), hold(1, 20_000)];
  expect(() => hold(1, 1_000)).toThrow(tooMany);
  expect(limited).toEqual(['1 AT_ONCE']);
  hold(1, 600);
  hold(2, 10_000);
  first?.emit('close');
  hold(1, 10_000);
  expect(() => hold(1, 1_000)).toThrow(tooMany);
});

test('an answer whose connection is lost by then takes no room', () => {
  const lost = Object.assign(new EventEmitter(), { closed: true });
  holdUnsent({ accountId: 1 }, 30_000, lost);
  hold(1, 30_000);
});

test('the readers of shares have a room of their own', () => {
  hold(1, 10_000, 7);
  expect(() => hold(1, 1_000, 8)).toThrow(tooMany);
  hold(1, 30_000);
});

test('all together wait up to a room as well', () => {
  hold(1, 30_000);
  hold(2, 20_000);
  expect(() => hold(3, 1_000)).toThrow(tooMany);
  hold(3, 600);
});
