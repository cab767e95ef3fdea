/** Starts that cannot succeed say why, in words, and end. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
let occupant: Server;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-start-'));
  occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  const address = occupant.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  occupant.close();
  await rm(folder, { recursive: true, force: true });
});

test('a port that is taken', async () => {
  const { code, complaint } = await start({ PORT: String(port) });
  expect(code).toBe(1);
  expect(complaint).toContain(`Cannot listen on 127.0.0.1, port ${port}`);
  expect(complaint).not.toContain('    at ');
});

test('a bad environment, with every error at once', async () => {
  const environment = { PORT: '99999', LOG_LEVEL: 'loud', APP_SECRET: 'short', TRUST_PROXY: '1' };
  const { code, complaint } = await start(environment);
  expect(code).toBe(2);
  for (const name of Object.keys(environment)) expect(complaint).toContain(name);
  // What may be a secret is not shown.
  expect(complaint).not.toContain('short');
});

interface Ended {
  readonly code: number;
  readonly complaint: string;
}

function start(environment: Record<string, string>): Promise<Ended> {
  const program = join(import.meta.dirname, '../../src/main.ts');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, 'serve'],
      { env: { ...process.env, DATA_DIR: folder, ...environment } },
      (error, _stdout, stderr) => resolve({ code: Number(error?.code ?? 0), complaint: stderr }),
    );
  });
}
