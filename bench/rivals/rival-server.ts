/**
 * What people would build: node:http, the beacons of the same JSON into an events table, durable
 * before the answer. `none` only parses and answers 204: the limit of the HTTP server itself.
 * Run as a process: rival-server.ts none | postgres ADDRESS | sqlite FILE.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EventStore, openPostgresEvents } from './postgres-events.ts';
import { openSqliteEvents } from './sqlite-events.ts';

const [kind = 'none', where = ''] = process.argv.slice(2);
const store = await openStore();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    take(request, response, Buffer.concat(chunks).toString()).catch((error: unknown) => {
      console.error(error);
      response.writeHead(503).end();
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

async function take(request: IncomingMessage, response: ServerResponse, text: string) {
  const { beacons } = JSON.parse(text) as { beacons: never[] };
  if (!Array.isArray(beacons)) {
    response.writeHead(400).end();
    return;
  }
  await store?.write(beacons, request.headers['user-agent'] ?? '');
  response.writeHead(204).end();
}

async function openStore(): Promise<EventStore | undefined> {
  if (kind === 'postgres') return openPostgresEvents(where);
  if (kind === 'sqlite') return openSqliteEvents(where);
  return undefined;
}
