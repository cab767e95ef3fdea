/** A connection to a ClickHouse server that holds back statements of one kind. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HeldStatement {
  /** Of the way to the server on which statements are held. */
  readonly url: string;
  /** How many are held now. */
  held(): number;
  /** Lets through what is held, and all that come from now on. */
  release(): void;
  close(): void;
}

/** Holds every statement that contains the text. */
export async function holdStatement(serverUrl: string, text: string): Promise<HeldStatement> {
  const { hostname, port } = new URL(serverUrl);
  const held: (() => void)[] = [];
  const sockets = new Set<Socket>();
  let isHolding = true;
  const server = createServer((client) => {
    const store = connect(Number(port), hostname);
    client.on('data', (question: Buffer) => {
      const pass = () => store.write(question);
      if (isHolding && question.includes(text)) held.push(pass);
      else pass();
    });
    store.on('data', (answer: Buffer) => client.write(answer));
    client.on('close', () => store.destroy());
    store.on('close', () => client.end());
    for (const socket of [client, store]) sockets.add(socket.on('error', () => {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: () => held.length,
    release() {
      isHolding = false;
      for (const pass of held.splice(0)) pass();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
