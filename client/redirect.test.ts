/** A key goes to the server that it is meant for, and to no other that an answer names. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Playmeter } from './src/index.ts';

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that sends everybody on to another, and what that other one was asked. */
async function redirecting() {
  const asked: IncomingMessage[] = [];
  const other = await listen((request, response) => {
    asked.push(request);
    response.setHeader('content-type', 'application/json').end('{"accepted":0,"rejected":[]}');
  });
  const url = await listen((request, response) => {
    response.writeHead(307, { location: `${other}${request.url}` }).end();
  });
  return { url, asked };
}

test('with a key no redirect is followed, and the error is not tried again', async () => {
  const { url, asked } = await redirecting();
  const client = new Playmeter({ url, key: 'pm_secret' });
  const error = await client.statistics
    .date({ sdate: '2026-03-01', edate: '2026-03-31' })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'UNREADABLE', status: 307 });
  expect(asked).toEqual([]);
});

test('without one beacons follow it', async () => {
  const { url, asked } = await redirecting();
  expect(await new Playmeter({ url }).beacons.send([])).toMatchObject({ accepted: 0 });
  expect(asked).toHaveLength(1);
});
