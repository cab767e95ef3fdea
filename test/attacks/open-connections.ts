/**
 * Opens connections and holds them, as a process of its own that has descriptors of its own. When
 * it has opened all, and on each line of its input, it prints how they are.
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
  /** What is sent after it, and how often. */
  readonly rest?: { readonly text: string; readonly times: number };
  /** Whether nothing is read that comes back. */
  readonly isDeaf?: boolean;
}

/** So many connections of them all. */
export interface Besieging {
  /** On which the text went out, whatever came of it. */
  readonly sent: number;
  readonly open: number;
  /** On which anything came back. */
  readonly answered: number;
}

const atOnce = 200;

function open({ port, text, rest, isDeaf }: ConnectionPlan, localAddress: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.once('connect', () => {
      socket.write(text + (rest?.text.repeat(rest.times) ?? ''));
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
  const print = () => {
    const how: Besieging = {
      sent: sockets.filter(({ bytesWritten }) => bytesWritten > 0).length,
      open: sockets.filter(({ readyState }) => readyState === 'open').length,
      answered: sockets.filter(({ bytesRead }) => bytesRead > 0).length,
    };
    console.log(JSON.stringify(how));
  };
  print();
  createInterface({ input: process.stdin })
    .on('line', print)
    .on('close', () => process.exit());
}

await hold(JSON.parse(process.argv[2] ?? '') as ConnectionPlan);
