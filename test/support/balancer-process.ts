/** The small load balancer as a process of its own, killed and started again by tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../src/lib/network/free-port.ts';

const program = join(import.meta.dirname, '../../scripts/cluster/run-balancer.ts');

export interface BalancerProcess {
  /** Unchanged by later starts. */
  readonly url: string;
  /** Resolves when it listens. */
  start(): Promise<void>;
  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
}

export async function startBalancerProcess(servers: readonly string[]): Promise<BalancerProcess> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<void> => {
    const running = spawn(process.execPath, [program, String(port), ...servers], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child = running;
    ended = once(running, 'exit');
    const isReady = once(running.stdout, 'data').then(() => true);
    if (!(await Promise.race([isReady, ended.then(() => false)]))) {
      throw new Error('The balancer ended');
    }
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    signal: (signal) => void child?.kill(signal),
    async kill() {
      child?.kill('SIGKILL');
      await ended;
    },
  };
}
