/**
 * Bounds the open connections, in all and of each IP address: descriptors must be left for the
 * stores and for new players. See docs/decisions/connections.md.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import { createSeldom } from '../lib/seldom.ts';
import { addGauge } from '../lib/telemetry.ts';
import { networkOf } from './address-limit.ts';
import { type Connection, type Crowd, createCrowd } from './crowd.ts';

export interface ConnectionLimits {
  readonly inAll: number;
  readonly ofAddress: number;
}

interface BoundOptions {
  readonly limits: ConnectionLimits;
  /** Behind a proxy are many senders: its address has no bound of its own. */
  readonly isProxy: (address: string) => boolean;
  readonly metrics: Registry;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly logger: FastifyBaseLogger;
}

export interface BoundConnections {
  bound(server: Server): void;
  /** To be called for every request. */
  note(response: ServerResponse): void;
  /** To be called for every answer: a listener of ours to each would cost 2 us. */
  noteSent(response: ServerResponse): void;
  /**
   * For a service that stops: nothing else would end these. Closes connections without a request at
   * once, and those whose sender then still has to send more a little later.
   */
  leave(server: Server): void;
}

interface CrowdedConnection extends Connection {
  readonly crowds: readonly Crowd[];
}

const logEveryMs = 60_000;
const bodiesWithinMs = 3_000;

export function boundConnections(options: BoundOptions): BoundConnections {
  const { limits, isProxy, clock } = options;
  const noteClosed = createNotes(options);
  const all = createCrowd(limits.inAll, () => noteClosed('all', 'idle'));
  const byNetwork = new Map<string, Crowd>();
  const connections = new Map<Socket, CrowdedConnection>();
  addGauge(options.metrics, 'playmeter_connections', 'Open connections', () => all.size);

  const crowdOfAddress = () => createCrowd(limits.ofAddress, () => noteClosed('address', 'idle'));

  function take(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const network = isProxy(address) ? undefined : networkOf(address);
    const own = network === undefined ? undefined : (byNetwork.get(network) ?? crowdOfAddress());
    // Its own crowd first: who has many makes room for itself and not at the cost of others.
    const full = own?.makeRoom() === false ? 'address' : all.makeRoom() ? undefined : 'all';
    if (full !== undefined) {
      noteClosed(full, 'new');
      socket.destroy();
      return;
    }
    const crowds = own ? [own, all] : [all];
    const forget = () => {
      if (!connections.delete(socket)) return;
      for (const crowd of crowds) crowd.remove(connection);
      if (own?.size === 0 && network !== undefined) byNetwork.delete(network);
    };
    const close = () => {
      forget();
      socket.destroy();
    };
    const connection: CrowdedConnection = { crowds, close, answer: undefined, requests: 0 };
    for (const crowd of crowds) crowd.add(connection);
    connections.set(socket, connection);
    if (own && network !== undefined) byNetwork.set(network, own);
    socket.once('close', forget);
  }

  return {
    bound(server) {
      server.prependListener('connection', take);
    },
    note(response) {
      const connection = connections.get(response.req.socket);
      if (!connection) return;
      connection.answer = response;
      connection.requests += 1;
    },
    noteSent(response) {
      const connection = connections.get(response.req.socket);
      if (!connection) return;
      // Kept until the next request, it would cost the garbage collector 20 us.
      if (connection.answer === response) connection.answer = undefined;
      for (const crowd of connection.crowds) crowd.admit(connection);
    },
    leave(server) {
      all.close();
      // The senders of bodies may finish. Those who never do must not hold up the stop.
      const cancel = clock.after(bodiesWithinMs, () => all.close(true));
      server.once('close', cancel);
    },
  };
}

type Bound = 'all' | 'address';

/** Counts what is closed, and logs it once a minute: the operator may have to raise a bound. */
function createNotes({ metrics, clock, logger }: BoundOptions) {
  const counter = new Counter({
    name: 'playmeter_connections_closed_total',
    help: 'Connections closed because too many were open: the new one, or an idle one',
    labelNames: ['bound', 'connection'],
    registers: [metrics],
  });
  const seldom = createSeldom(clock, logEveryMs);
  return (bound: Bound, connection: 'new' | 'idle') => {
    counter.inc({ bound, connection });
    seldom((connections) => {
      const setting = bound === 'all' ? 'MAX_CONNECTIONS' : 'MAX_CONNECTIONS_PER_ADDRESS';
      logger.warn({ connections, setting }, 'too many connections are open: some closed');
    });
  };
}
