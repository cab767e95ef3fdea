/** More connections than there is room for: whose are closed, and who goes on. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as open } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const inAll = 30;
const ofAddress = 10;
const limits = { MAX_CONNECTIONS: String(inAll), MAX_CONNECTIONS_PER_ADDRESS: String(ofAddress) };
const beginning = 'POST /collect/v1/beacons HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n';
const attackers = ['127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.4'];

/** Bare connections, as somebody opens them who means to fill the server up. */
interface RawConnections {
  /** How many the server has not closed. */
  open(): number;
  close(): void;
}

/** Opens them one after the other, from an address of this machine, and sends `text` on each. */
async function openConnections(
  count: number,
  to: { readonly port: number; readonly from: string; readonly text: string },
): Promise<RawConnections> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ port: to.port, host: '127.0.0.1', localAddress: to.from });
    // A server that closes it at once may do so with a reset.
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(to.text);
    socket.resume();
    sockets.push(socket);
  }
  return {
    open: () => sockets.filter(({ closed, readableEnded }) => !closed && !readableEnded).length,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function start(environment: Record<string, string> = limits): Promise<TestService> {
  const service = await startTestService({ environment });
  onTestFinished(() => service.stop());
  return service;
}

const portOf = ({ url }: TestService) => Number(new URL(url).port);

/** Sends one byte on each of many connections, which stay open. */
async function attack(service: TestService, count: number, text = 'G'): Promise<RawConnections[]> {
  const port = portOf(service);
  const all: RawConnections[] = [];
  for (const from of attackers) all.push(await openConnections(count, { port, from, text }));
  onTestFinished(() => {
    for (const { close } of all) close();
  });
  return all;
}

/** A player that keeps one connection open from the first beacon to the last. */
function startPlayer(service: TestService, from = '127.0.0.1') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const place = { host: '127.0.0.1', port: portOf(service), localAddress: from, agent };
  return async (): Promise<{ status: number | undefined; isSameConnection: boolean }> => {
    const headers = { 'content-type': 'text/plain', 'content-length': 14 };
    const sent = open({ ...place, method: 'POST', path: '/collect/v1/beacons', headers });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject).end('{"beacons":[]}');
    });
    answer.resume();
    await new Promise((ended) => answer.on('end', ended));
    return { status: answer.statusCode, isSameConnection: sent.reusedSocket };
  };
}

const openOnes = (service: TestService) =>
  new Promise<number>((resolve) => {
    service.app.server.getConnections((_, count) => resolve(count));
  });

async function closedBy(service: TestService, labels: string): Promise<number> {
  const text = await (await service.request('/metrics')).text();
  const name = `playmeter_connections_closed_total{${labels}}`;
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}

test('connections of one byte take no place from players, old or new', async () => {
  const service = await start();
  const oldPlayer = startPlayer(service);
  expect(await oldPlayer()).toEqual({ status: 200, isSameConnection: false });
  await attack(service, 2 * ofAddress);
  expect(await oldPlayer()).toEqual({ status: 200, isSameConnection: true });
  // Also behind the address of an attacker.
  for (const address of ['127.0.0.9', ...attackers]) {
    const player = startPlayer(service, address);
    expect(await player()).toEqual({ status: 200, isSameConnection: false });
    expect(await player()).toEqual({ status: 200, isSameConnection: true });
  }
  expect(await oldPlayer()).toEqual({ status: 200, isSameConnection: true });
  expect(await openOnes(service)).toBeLessThanOrEqual(inAll);
  const text = await (await service.request('/metrics')).text();
  expect(Number(/^playmeter_connections (\d+)$/m.exec(text)?.[1])).toBeLessThanOrEqual(inAll);
});

test('an address closes its own: the first that give nothing to do', async () => {
  const service = await start();
  const [first, second] = await attack(service, ofAddress);
  await waitUntil('all to be open', async () => (await openOnes(service)) === inAll);
  // Three of the four filled it; the fourth took its places from the first, the oldest.
  await waitUntil('the oldest to be closed', () => first?.open() === 0);
  expect(second?.open()).toBe(ofAddress);
  const place = { port: portOf(service), from: attackers[1] as string, text: 'G' };
  const more = await openConnections(4, place);
  onTestFinished(more.close);
  await waitUntil('its own to be closed', () => second?.open() === ofAddress - 4);
  expect(more.open()).toBe(4);
  expect(await closedBy(service, 'bound="address",connection="idle"')).toBe(4);
});

test('bodies that never come take no place either', async () => {
  const service = await start();
  await attack(service, 2 * ofAddress, `${beginning}content-length: 99\r\n\r\n{`);
  const player = startPlayer(service, attackers[0]);
  expect(await player()).toEqual({ status: 200, isSameConnection: false });
  expect(await player()).toEqual({ status: 200, isSameConnection: true });
});

test('who was answered goes after all who never asked anything', async () => {
  const service = await start();
  const players = Array.from({ length: ofAddress - 1 }, () => startPlayer(service));
  for (const player of players) await player();
  await attack(service, 2 * ofAddress);
  const again = await Promise.all(players.map((player) => player()));
  expect(again).toEqual(players.map(() => ({ status: 200, isSameConnection: true })));
});

test('a trusted proxy has as many as there are', async () => {
  const service = await start({ ...limits, MAX_CONNECTIONS: '100', TRUST_PROXY: '127.0.1.1' });
  const [proxy, other] = await attack(service, ofAddress + 5);
  await waitUntil('the bound of the others to hold', () => other?.open() === ofAddress);
  expect(proxy?.open()).toBe(ofAddress + 5);
  expect(await closedBy(service, 'bound="address",connection="idle"')).toBe(3 * 5);
});

test('an answer says how long its connection is kept, whichever way it takes', async () => {
  const { url, stop } = await startTestService();
  onTestFinished(stop);
  const ask = async (path: string, connection: 'keep-alive' | 'close') => {
    const [method, body] = path === '/healthz' ? ['GET'] : ['POST', '{"beacons":[]}'];
    const agent = new Agent({ keepAlive: connection === 'keep-alive' });
    onTestFinished(() => agent.destroy());
    const headers = { 'content-type': 'text/plain' };
    const sent = open(url + path, { method, agent, headers }).end(body);
    const answer = await new Promise<IncomingMessage>((got) => sent.on('response', got));
    answer.resume();
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, connection]);
    return answer.headers['keep-alive'];
  };
  for (const path of ['/healthz', '/collect/v1/beacons', '/collect/v1/beacons?by=route']) {
    expect(await ask(path, 'keep-alive'), path).toBe('timeout=72');
    expect(await ask(path, 'close'), path).toBeUndefined();
  }
});

const unfinished = `${beginning}content-length: 99\r\n\r\n{`;

test('a service stops although senders never go on', async () => {
  const service = await startTestService();
  const place = { port: portOf(service), from: '127.0.0.1' };
  const silent: RawConnections[] = [];
  for (const text of ['G', '', unfinished]) {
    silent.push(await openConnections(5, { ...place, text }));
  }
  await waitUntil('them to be open', async () => (await openOnes(service)) >= 15);
  await service.stop();
  await waitUntil('them to be closed', () => silent.every(({ open }) => open() === 0));
});
