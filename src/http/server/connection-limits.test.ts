import { Agent, createServer, request as open, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { limitConnections } from './connection-limits.ts';

/** A server whose answers come when a test sends them. */
async function startServer(inAll: number, ofAddress = inAll, notes = true) {
  const metrics = new Registry();
  const logged: object[] = [];
  const stream = { write: (line: string) => logged.push(JSON.parse(line)) };
  const clock = manualClock();
  const bounds = limitConnections({
    limits: { inAll, ofAddress },
    isProxy: () => false,
    metrics,
    clock,
    logger: pino({ base: null, timestamp: false }, stream),
  });
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    bounds.enter(response, () => {
      if (notes) response.on('finish', () => bounds.noteSent(response));
      waiting.push(response);
    });
  });
  bounds.bound(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const gauge = async () => (await metrics.getSingleMetric('playmeter_connections')?.get())?.values;
  const count = async () => (await gauge())?.[0]?.value;
  return { port, waiting, clock, logged, count };
}

type Served = Awaited<ReturnType<typeof startServer>>;

/** Resolves to the status, or to why there was none. */
function ask({ port }: Served, body = ''): Promise<number | string | undefined> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return new Promise((resolve) => {
    const headers = { 'content-length': body.length };
    const sent = open({ host: '127.0.0.1', port, method: 'POST', headers, agent }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).end(body);
  });
}

test('one that is being answered stays, and the new one is closed', async () => {
  const server = await startServer(1);
  const first = ask(server);
  await expect.poll(() => server.waiting.length).toBe(1);
  expect(await ask(server)).toBe('ECONNRESET');
  server.waiting[0]?.end();
  expect(await first).toBe(200);
  // Now it is idle.
  const second = ask(server);
  await expect.poll(() => server.waiting.length).toBe(2);
  server.waiting[1]?.end();
  expect(await second).toBe(200);
  expect(await server.count()).toBe(1);
});

test('one whose body waits to be read stays', async () => {
  const server = await startServer(1);
  const first = ask(server, 'x'.repeat(200_000));
  await expect.poll(() => server.waiting.length).toBe(1);
  expect(await ask(server)).toBe('ECONNRESET');
  server.waiting[0]?.req.resume();
  server.waiting[0]?.end();
  expect(await first).toBe(200);
});

test('a new one takes the place of another of its address', async () => {
  const server = await startServer(3, 1);
  const silent = connect(server.port, '127.0.0.1');
  onTestFinished(() => void silent.destroy());
  await expect.poll(server.count).toBe(1);
  const closed = new Promise((resolve) => silent.on('close', resolve).on('error', () => {}));
  const asked = ask(server);
  await closed;
  await expect.poll(() => server.waiting.length).toBe(1);
  expect(await server.count()).toBe(1);
  server.waiting[0]?.end();
  expect(await asked).toBe(200);
});

test('what was closed is logged once a minute, with the setting', async () => {
  const server = await startServer(1);
  const first = ask(server);
  await expect.poll(() => server.waiting.length).toBe(1);
  for (const afterMs of [0, 59_999, 1]) {
    server.clock.advance(afterMs);
    expect(await ask(server)).toBe('ECONNRESET');
  }
  const setting = 'MAX_CONNECTIONS_PER_ADDRESS';
  expect(server.logged).toMatchObject([
    { connections: 1, setting },
    { connections: 2, setting },
  ]);
  server.waiting[0]?.end();
  await first;
});

test('none are left when all are closed', async () => {
  const server = await startServer(2);
  const sockets = [1, 2, 3].map(() => connect(server.port, '127.0.0.1').on('error', () => {}));
  await expect.poll(server.count).toBe(2);
  for (const socket of sockets) socket.destroy();
  await expect.poll(server.count).toBe(0);
});

const pipelined = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

test('requests on one connection are handled one after the other, in order', async () => {
  const server = await startServer(2);
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(pipelined.repeat(3));
  for (const number of [1, 2, 3]) {
    await expect.poll(() => server.waiting.length).toBe(number);
    // Another connection does not wait for this one.
    const other = ask(server);
    await expect.poll(() => server.waiting.length).toBe(number + 1);
    server.waiting.pop()?.end();
    expect(await other).toBe(200);
    server.waiting[number - 1]?.end(`answer ${number}`);
  }
  await expect
    .poll(() => received.match(/answer \d/g))
    .toEqual(['answer 1', 'answer 2', 'answer 3']);
});

test('an answer that is sent but not noted yet holds up nobody', async () => {
  const server = await startServer(1, 1, false);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (const nth of [0, 1, 2]) {
    const answered = new Promise((resolve) => {
      open({ host: '127.0.0.1', port: server.port, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      }).end();
    });
    await expect.poll(() => server.waiting.length).toBe(nth + 1);
    server.waiting[nth]?.end();
    expect(await answered).toBe(200);
  }
});

test('a connection with more than 32 requests in line is closed', async () => {
  const server = await startServer(3);
  const closed = (requests: number) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(pipelined.repeat(requests));
    return new Promise((resolve) => socket.on('close', () => resolve(requests)));
  };
  const held = closed(33);
  await expect.poll(() => server.waiting.length).toBe(1);
  expect(await Promise.race([held, closed(34)])).toBe(34);
  expect(await server.count()).toBe(1);
  // The one that was closed left the line: another finds as much room.
  server.waiting[0]?.end();
  await expect.poll(() => server.waiting.length).toBe(3);
});

test('chunks are not taken before the earlier answers, and are after them', async () => {
  const server = await startServer(2);
  const inChunks =
    'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n';
  const send = (text: string) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(text);
    return socket;
  };
  const hasty = send(pipelined + inChunks);
  await new Promise((resolve) => hasty.on('close', resolve));
  const patient = send(inChunks);
  await expect.poll(() => server.waiting.length).toBe(2);
  server.waiting[1]?.end();
  await new Promise((resolve) => patient.once('data', resolve));
  patient.write(inChunks);
  await expect.poll(() => server.waiting.length).toBe(3);
});

test('what a lost connection still wanted is not begun', async () => {
  const server = await startServer(1);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write(pipelined.repeat(3));
  await expect.poll(() => server.waiting.length).toBe(1);
  socket.destroy();
  await expect.poll(server.count).toBe(0);
  expect(server.waiting.length).toBe(1);
});
