import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to outgoing connections (Linux: from 32,768), one of which could
 * otherwise take the port while the process that it was meant for starts again.
 */
const firstPort = 15_000;
const endOfPorts = 32_000;
const mostAttempts = 50;

/** A port of 127.0.0.1 that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const port = randomInt(firstPort, endOfPorts);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port of 127.0.0.1 among ${mostAttempts} from ${firstPort} on`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
