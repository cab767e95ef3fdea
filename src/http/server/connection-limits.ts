/**
 * Bounds the open connections, in all and of each IP address: descriptors must be left for the
 * stores and for new players. Answers the requests of one connection one after the other. See
 * docs/decisions/connections.md.
 */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import {
  type ConnectionGroup,
  createConnectionGroup,
  createNetworkConnections,
} from './connection-group.ts';
import { type LookedAtConnection, limitIdleTime } from './idle-timeout.ts';

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

export interface LimitedConnections {
  bound(server: Server): void;
  /** To be called for every request: handles it once the ones before it on its connection left. */
  enter(response: ServerResponse, handle: RequestListener): void;
  /** To be called for every answer: a listener of ours to each would cost 2 us. */
  noteSent(response: ServerResponse): void;
  /**
   * For a service that stops: nothing else would end these. Closes connections without a request at
   * once, and those whose sender then still has to send more a little later.
   */
  leave(server: Server): void;
}

interface LimitedConnection extends LookedAtConnection {
  readonly groups: readonly ConnectionGroup[];
  readonly queue: RequestQueue;
}

const unused = { answer: undefined, requests: 0, bytesRead: 0, idleLooks: 0 };
const logEveryMs = 60_000;
const bodiesWithinMs = 3_000;
/** How often connections are closed that have become idle since. */
const closeIdleEveryMs = 500;

export function limitConnections(options: BoundOptions): LimitedConnections {
  const { limits, isProxy, clock } = options;
  const noteClosed = createNotes(options);
  const all = createConnectionGroup(limits.inAll, () => noteClosed('all', 'idle'));
  const networks = createNetworkConnections(limits.ofAddress, () => noteClosed('address', 'idle'));
  const connections = new Map<Socket, LimitedConnection>();
  const queues = createRequestQueues();
  addGauge(options.metrics, 'playmeter_connections', 'Open connections', () => all.size, 'sum');

  function take(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    // Its own group first: who has many makes room for itself and not at the cost of others.
    const groups = isProxy(address) ? [all] : [...networks.of(address), all];
    const full = groups.find((group) => !group.makeRoom());
    if (full !== undefined) {
      networks.leave(address);
      noteClosed(full === all ? 'all' : 'address', 'new');
      socket.destroy();
      return;
    }
    const forget = () => {
      if (!connections.delete(socket)) return;
      queues.close(connection.queue);
      for (const group of groups) group.remove(connection);
      networks.leave(address);
    };
    const close = () => {
      forget();
      socket.destroy();
    };
    const queue = { waiting: 0, isOpen: true };
    const connection: LimitedConnection = { groups, queue, close, ...unused };
    for (const group of groups) group.add(connection);
    connections.set(socket, connection);
    socket.once('close', forget);
  }

  return {
    bound(server) {
      server.prependListener('connection', take);
      limitIdleTime(server, connections, clock);
    },
    enter(response, handle) {
      const connection = connections.get(response.req.socket);
      // Closed while its last bytes were being read.
      if (!connection) return;
      const earlier = connection.answer;
      connection.answer = response;
      connection.requests += 1;
      const begin = () => handle(response.req, response);
      // One that is closed may not be noted as sent yet.
      if (earlier === undefined || earlier.closed) begin();
      else if (isInChunks(response) || !queues.join(connection.queue, earlier, begin))
        connection.close();
    },
    noteSent(response) {
      const connection = connections.get(response.req.socket);
      if (!connection) return;
      // Kept until the next request, it would cost the garbage collector 20 us.
      if (connection.answer === response) connection.answer = undefined;
      for (const group of connection.groups) group.admit(connection);
    },
    leave(server) {
      all.close();
      // One that never listened has no connections, and would never say that it is closed.
      if (!server.listening) return;
      server.once('close', closeIdleOnes(all, clock));
    },
  };
}

/**
 * While it waits for earlier answers, the chunks of its body would wait as they came: of one byte
 * each, 64 KiB of them take 2 MB.
 */
function isInChunks({ req }: ServerResponse): boolean {
  return 'transfer-encoding' in req.headers;
}

/**
 * The senders of bodies may finish. Those who never do must not hold up the stop, nor may a
 * connection that is kept after a question was answered, however late that is. Goes on until the
 * returned function is called.
 */
function closeIdleOnes(group: ConnectionGroup, clock: Pick<Clock, 'after'>): () => void {
  let cancel = () => {};
  const close = () => {
    group.close(true);
    cancel = clock.after(closeIdleEveryMs, close);
  };
  cancel = clock.after(bodiesWithinMs, close);
  return () => cancel();
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
  const seldom = createThrottle(clock, logEveryMs);
  return (bound: Bound, connection: 'new' | 'idle') => {
    counter.inc({ bound, connection });
    seldom((connections) => {
      const setting = bound === 'all' ? 'MAX_CONNECTIONS' : 'MAX_CONNECTIONS_PER_ADDRESS';
      logger.warn({ connections, setting }, 'too many connections are open: some closed');
    });
  };
}

/** Of one connection. */
interface RequestQueue {
  /** Requests that wait until the ones before them are answered. */
  waiting: number;
  isOpen: boolean;
}

interface RequestQueues {
  /** Begins when the answer `earlier` is sent. False if there is no room: close the connection. */
  join(queue: RequestQueue, earlier: ServerResponse, begin: () => void): boolean;
  /** For a connection that is lost. */
  close(queue: RequestQueue): void;
}

/** Sent before the answers to earlier ones came; no browser and no proxy does so. */
const mostOfConnection = 32;
/** Of all connections. */
const mostWaiting = 40_000;

/**
 * Requests of one connection are handled one after the other: otherwise one read of 64 KiB would
 * begin a thousand answers at once, and those whom nobody reads would fill the memory.
 */
function createRequestQueues(): RequestQueues {
  let waitingInAll = 0;
  return {
    join(queue, earlier, begin) {
      if (queue.waiting >= mostOfConnection || waitingInAll >= mostWaiting) return false;
      queue.waiting += 1;
      waitingInAll += 1;
      // Comes when the system has taken all of the answer, or the connection is lost.
      earlier.once('close', () => {
        if (!queue.isOpen) return;
        queue.waiting -= 1;
        waitingInAll -= 1;
        begin();
      });
      return true;
    },
    close(queue) {
      queue.isOpen = false;
      waitingInAll -= queue.waiting;
    },
  };
}
