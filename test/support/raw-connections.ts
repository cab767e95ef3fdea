/** Bare connections to a server, as somebody opens them who means to fill it up. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnections {
  /** How many the server has not closed. */
  open(): number;
  close(): void;
}

/** Opens them one after the other, from an address of this machine, and sends `text` on each. */
export async function openConnections(
  count: number,
  to: { readonly port: number; readonly from: string; readonly text: string },
): Promise<RawConnections> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ port: to.port, host: '127.0.0.1', localAddress: to.from });
    // A server that closes it at once may do so with a reset.
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(to.text);
    socket.resume();
    sockets.push(socket);
  }
  return {
    open: () => sockets.filter(({ closed, readableEnded }) => !closed && !readableEnded).length,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
