import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

const connectionsBegin = 32_768;

test('a port can be listened on, and no outgoing connection is given it', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  for (const port of ports) {
    expect(port).toBeGreaterThan(1_024);
    expect(port).toBeLessThan(connectionsBegin);
  }
  expect(new Set(ports).size).toBeGreaterThan(15);
  const [port] = ports;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.close();
});
