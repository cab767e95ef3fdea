/** The direct way of beacons holds little room, and gives back what it held, however it ends. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DirectWay, startDirectWay } from '../support/direct-way.ts';
import { waitUntil } from '../support/wait-until.ts';

const kib = 1_024;
const path = '/collect/v1/beacons';

let way: DirectWay;
beforeAll(async () => {
  way = await startDirectWay({
    // One request at a time: while it is being read, there is no room for a second.
    limits: { crowdedFacts: { small: 1, large: 1 }, waitForRoomMs: { small: 50, large: 50 } },
    roomBytes: 100 * kib,
  });
});
afterAll(() => way.stop());

const post = (body: string) =>
  fetch(`http://127.0.0.1:${way.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  });
const sized = (bytes: number) => `{"beacons":[],"x":"${'x'.repeat(bytes)}"}`;

/** Sends the head and some of a body that never ends. */
function beginBody(bytes: number) {
  const socket = connect(way.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n`);
  socket.write(`content-length: ${bytes * 2}\r\n\r\n${'x'.repeat(bytes)}`);
  return socket;
}

test('the room of a body is given back when it was read, good or bad', async () => {
  for (const body of [sized(80 * kib), 'x'.repeat(80 * kib), sized(80 * kib)]) {
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await post(body)).status).toBe(body.startsWith('{') ? 200 : 400);
    }
  }
});

test('a body beyond the room is refused, and what it held is given back', async () => {
  const refused = await post(sized(200 * kib));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  // What is wrong with a request is in its answer; for the rest there is the log.
  expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect((await post('x')).headers.get('x-request-id')).toBeNull();
  expect((await post(sized(80 * kib))).status).toBe(200);
});

test('whoever goes away in the middle of a body leaves no room taken', async () => {
  const socket = beginBody(80 * kib);
  await waitUntil('the room to be taken', async () => (await post(sized(80 * kib))).status === 503);
  socket.destroy();
  await waitUntil('it to be free', async () => (await post(sized(80 * kib))).status === 200);
  expect((await post(sized(80 * kib))).status).toBe(200);
});
