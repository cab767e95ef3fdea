/**
 * Opens connections and holds them, as a process of its own that has descriptors of its own. On
 * each line of its input it prints how many are open.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ConnectionPlan {
  readonly port: number;
  readonly connections: number;
  /** Where they come from, in turn. */
  readonly addresses: readonly string[];
  /** What is sent on each, and then nothing more. */
  readonly text: string;
  /** So many spaces after it. */
  readonly padding?: number;
  /** Whether nothing is read that comes back. */
  readonly isDeaf?: boolean;
}

const atOnce = 200;

function open(
  { port, text, padding = 0, isDeaf }: ConnectionPlan,
  localAddress: string,
): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.once('connect', () => {
      socket.write(text + ' '.repeat(padding));
      resolve(socket);
    });
    socket.on('error', () => resolve(socket));
    socket.on('close', () => resolve(socket));
    if (!isDeaf) socket.resume();
  });
}

async function hold(plan: ConnectionPlan): Promise<void> {
  const { addresses } = plan;
  const sockets: Socket[] = [];
  for (let index = 0; index < plan.connections; index += atOnce) {
    const some = Math.min(atOnce, plan.connections - index);
    const opened = Array.from({ length: some }, (_, number) =>
      open(plan, addresses[(index + number) % addresses.length] ?? '127.0.0.1'),
    );
    sockets.push(...(await Promise.all(opened)));
  }
  const print = () => console.log(sockets.filter(({ readyState }) => readyState === 'open').length);
  print();
  createInterface({ input: process.stdin })
    .on('line', print)
    .on('close', () => process.exit());
}

await hold(JSON.parse(process.argv[2] ?? '') as ConnectionPlan);
