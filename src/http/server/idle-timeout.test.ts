import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { type LookedAtConnection, limitIdleTime } from './idle-timeout.ts';

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

/** Begins to look at once; its answers come when a test sends them. */
async function startServer() {
  const clock = manualClock();
  const connections = new Map<Socket, LookedAtConnection>();
  const answers = new Map<number | undefined, ServerResponse>();
  const server = createServer((request, response) => {
    const connection = connections.get(request.socket) as LookedAtConnection;
    connection.requests += 1;
    connection.answer = response;
    answers.set(request.socket.remotePort, response);
  });
  server.on('connection', (socket) => {
    const unused = { answer: undefined, requests: 0, bytesRead: 0, idleLooks: 0 };
    connections.set(socket, { ...unused, close: () => socket.destroy() });
    socket.once('close', () => connections.delete(socket));
  });
  limitIdleTime(server, connections, clock);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  /** Resolves when all of the text has come. */
  async function openAndSend(text: string) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((connected) => socket.once('connect', connected));
    const own = () => [...connections.keys()].find((one) => one.remotePort === socket.localPort);
    let sent = 0;
    const send = async (more: string): Promise<void> => {
      socket.write(more);
      sent += more.length;
      await expect.poll(() => own()?.bytesRead).toBe(sent);
    };
    await send(text);
    const answer = async (body: string | Buffer) => {
      const response = answers.get(socket.localPort) as ServerResponse;
      const taken = new Promise((finished) => response.once('close', finished));
      response.end(body);
      const connection = connections.get(response.req.socket) as LookedAtConnection;
      // As it is where an answer counts as sent before the system has taken all of it.
      if (body.length > 0) connection.answer = undefined;
      else await taken;
    };
    return { isOpen: () => own() !== undefined, send, answer };
  }
  return { clock, openAndSend, looks: () => clock.waiting(), server };
}

test('one that was answered is closed when nothing has come for 72 s', async () => {
  const { clock, openAndSend } = await startServer();
  const [idle, busy] = [await openAndSend(request), await openAndSend(request)];
  await idle.answer('');
  await busy.answer('');
  clock.advance(71_999);
  // The beginning of the next request.
  await busy.send('G');
  await nextTurn();
  expect([idle.isOpen(), busy.isOpen()]).toEqual([true, true]);
  clock.advance(6_001);
  await expect.poll(idle.isOpen).toBe(false);
  clock.advance(65_999);
  await nextTurn();
  expect(busy.isOpen()).toBe(true);
  clock.advance(6_001);
  await expect.poll(busy.isOpen).toBe(false);
});

test('one is left alone that was never used, waits for its answer, or has not taken it', async () => {
  const { clock, openAndSend } = await startServer();
  const unused = await openAndSend('');
  const waiting = await openAndSend(request);
  const untaken = await openAndSend(request);
  await untaken.answer(Buffer.alloc(30_000_000));
  const idle = await openAndSend(request);
  await idle.answer('');
  clock.advance(300_000);
  await expect.poll(idle.isOpen).toBe(false);
  expect([unused, waiting, untaken].map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
});

test('it ends with the server', async () => {
  const { server, looks } = await startServer();
  expect(looks()).toBe(1);
  await new Promise((closed) => server.close(closed));
  expect(looks()).toBe(0);
});
