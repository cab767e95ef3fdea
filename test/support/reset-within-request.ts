import { connect } from 'node:net';

/** Now and then before the server has read it. Resolves also if nothing listens at the moment. */
export function resetWithinRequest(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      const inMs = 50 * Math.random();
      socket.write('GET /ping HTTP/1.1\r\nHos', () =>
        setTimeout(() => socket.resetAndDestroy(), inMs),
      );
    });
    socket.on('error', () => {}).on('close', () => resolve());
  });
}
