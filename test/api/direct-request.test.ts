/** Which requests are taken the direct way, and how they are answered there. */
import { Agent, request as open } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type DirectWay, startDirectWay } from '../support/direct-way.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/collect/v1/beacons';
const route = { method: 'POST', route: path };

let way: DirectWay;
beforeAll(async () => {
  way = await startDirectWay();
});
afterAll(() => way.stop());
beforeEach(() => {
  way.observed.splice(0);
  way.faults.splice(0);
});

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The body is filled up to this length. */
  readonly bytes?: number;
  readonly from?: string;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends with these headers and no others but its length. */
function send(sent: Sent = {}, { port } = way): Promise<Answered> {
  const { method = 'POST', url = path, headers = {}, from, bytes = 0 } = sent;
  const body = (sent.body ?? '{"beacons":[]}').padEnd(bytes);
  const all = { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = open(
      {
        ...{ host: '127.0.0.1', port, path: url, method, agent: new Agent() },
        ...{ localAddress: from, headers: { ...all, ...headers } },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    asked.on('error', reject).end(body);
  });
}

const statusOf = async (sent: Sent, to = way) => (await send(sent, to)).status;

test('a fault is answered as a problem, and noted', async () => {
  const { status, headers, body } = await send({ body: '{' });
  expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'INVALID_PARAMETER' }]);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    'server-time': String(way.collecting.clock.now()),
    'x-of-all': 'yes',
  });
  expect(way.faults).toMatchObject([{ code: 'INVALID_PARAMETER' }]);
  expect(way.observed).toEqual([[{ ...route, status: 400 }, 0]]);
});

test('an answer to what nobody foresaw names the request, for the log has more', async () => {
  const broken = await startDirectWay();
  // It is closed already.
  onTestFinished(() => broken.stop().catch(() => {}));
  await broken.collecting.catalog.close();
  const at = new Date(broken.collecting.clock.now()).toISOString();
  const beacon = { view: 'v', stretch: 0, at, playMs: 0, videoKey: 'any' };
  const { status, headers, body } = await send(
    { body: JSON.stringify({ beacons: [beacon] }) },
    broken,
  );
  expect([status, JSON.parse(body)]).toMatchObject([500, { code: 'INTERNAL' }]);
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect((await send({ body: '{' }, broken)).headers).not.toHaveProperty('x-request-id');
});

test('answers are measured, from the request to the end of collecting', async () => {
  const { clock, catalog, facts } = way.collecting;
  const at = new Date(clock.now()).toISOString();
  const { accountId, folderId, packageId } = await addLibrary(catalog);
  const video = accepted(await catalog.videos.create(accountId, { folderId, title: 'T' }));
  const name = { accountId, packageId, accessKey: video.accessKey };
  const { videoKey } = accepted(await catalog.publications.publish(name));
  clock.advance(60_000);
  facts.hold();
  const beacon = { view: 'v', stretch: 0, at, playMs: 0, videoKey };
  const answer = send({ body: JSON.stringify({ beacons: [beacon] }) });
  await expect.poll(facts.attempts).toBe(1);
  clock.advance(1_500);
  facts.release();
  expect(JSON.parse((await answer).body)).toEqual({ accepted: 1, rejected: [] });
  expect(way.observed).toEqual([[{ ...route, status: 200 }, 1.5]]);
  expect(way.faults).toEqual([]);
});

test('whoever goes away while sending is not answered, and that is no fault', async () => {
  const socket = connect(way.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n`);
  await new Promise((written) => socket.write('content-length: 99\r\n\r\n{', written));
  await waitUntil('it to arrive', async () => (await send()).status === 200);
  socket.destroy();
  await waitUntil('another to be answered', async () => (await send()).status === 200);
  expect(way.faults).toEqual([]);
  expect(new Set(way.observed.map(([labels]) => JSON.stringify(labels)))).toEqual(
    new Set([JSON.stringify({ ...route, status: 200 })]),
  );
});

const forwarded = (address: string): Sent => ({ headers: { 'x-forwarded-for': address } });

test('requests are counted by the address that they come from', async () => {
  const few = await startDirectWay({ perMinute: 1 });
  expect(await statusOf({}, few)).toBe(200);
  expect(await statusOf({ from: '127.0.0.2' }, few)).toBe(200);
  expect(await statusOf(forwarded('203.0.113.1'), few)).toBe(429);
  await few.stop();
});

test('a connection whose receiver stands still is closed', async () => {
  const quick = await startDirectWay({ silenceMs: 200 });
  onTestFinished(() => quick.stop());
  const body = '{}';
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n`;
  const request = `${head}content-length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(quick.port, '127.0.0.1').pause();
  let isClosed = false;
  // A reset shows only when something is written.
  socket.on('error', () => {}).on('close', () => (isClosed = true));
  // More answers than the buffers of both ends take.
  socket.write(request.repeat(50_000));
  await waitUntil('the connection to be closed', () => {
    socket.write('x');
    return isClosed;
  });
});
