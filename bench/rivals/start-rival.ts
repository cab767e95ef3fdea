/** A rival's server as a process of its own, as the service under test is one. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(import.meta.dirname, 'rival-server.ts');

interface RivalServer {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startRival(kind: 'none' | 'postgres' | 'sqlite', where = '') {
  const child = spawn(process.execPath, [program, kind, where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(Number(line)));
    child.once('exit', (code) => reject(new Error(`The ${kind} rival ended: ${code}`)));
  });
  const server: RivalServer = {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  return server;
}
