/** A way to a server on this machine that falls silent, as if the server hung or had moved. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentWay {
  readonly port: number;
  /** What is open now says nothing any more; resolves to how many connections that are. */
  fall(): number;
  /** What is opened from now on is taken, and hears nothing either. */
  hang(): void;
  /** Ends all that is open, and takes nothing any more. */
  leave(): Promise<void>;
  /** All that is opened from now on is passed on again. */
  comeBack(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openSilentWay(serverPort: number): Promise<SilentWay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isHanging = false;
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {}).on('close', () => pairs.delete(pair));
    }
    if (isHanging) near.resume();
    else near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.end());
  });
  const listen = async (at: number) => {
    await once(server.listen(at, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const endAll = () => {
    for (const socket of [...pairs].flat()) socket.destroy();
  };
  const leave = async () => {
    endAll();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const fall = () => {
    for (const [near, far] of pairs) {
      near.unpipe().resume();
      far.unpipe().resume();
    }
    return pairs.size;
  };
  return {
    port,
    fall,
    hang() {
      isHanging = true;
      fall();
    },
    leave,
    async comeBack() {
      endAll();
      isHanging = false;
      if (!server.listening) await listen(port);
    },
    [Symbol.asyncDispose]: leave,
  };
}
