/** The direct way of beacons behind a server of its own; what it leaves is answered with 501. */
import { pino } from 'pino';
import type { SpoolLimits } from '../../src/collect/spool/spool.ts';
import { takeBeaconsDirectly } from '../../src/http/beacons/direct-beacons.ts';
import { createSenderReader } from '../../src/http/beacons/sender.ts';
import { createBodyMemory } from '../../src/http/limits/byte-limits.ts';
import { createAddressLimit } from '../../src/http/limits/rate-limits.ts';
import { senderAddress } from '../../src/http/server/sender-address.ts';
import { assert } from '../../src/lib/assert.ts';
import { createProcessLimiters } from '../../src/lib/limits/limiter.ts';
import { readTrustedProxies } from '../../src/lib/network/network-list.ts';
import { Fault } from '../../src/vocabulary/faults.ts';
import { type Collecting, startCollecting } from './collecting.ts';
import { startLocalServer } from './local-server.ts';

interface DirectWayOptions {
  readonly limits?: Partial<SpoolLimits>;
  readonly perMinute?: number;
  readonly roomBytes?: number;
  readonly silenceMs?: number;
  /** As in the configuration; default: none are trusted. */
  readonly trustProxy?: string;
}

export interface DirectWay {
  readonly collecting: Collecting;
  readonly port: number;
  /** Each answer as it was measured; a test may empty these. */
  readonly observed: [labels: object, seconds: number][];
  readonly faults: Fault[];
  stop(): Promise<void>;
}

export async function startDirectWay(options: DirectWayOptions = {}): Promise<DirectWay> {
  const { limits = {}, perMinute = 1_000_000, roomBytes, trustProxy = 'false' } = options;
  const { silenceMs = 120_000 } = options;
  const trustedProxies = readTrustedProxies(trustProxy);
  assert(trustedProxies, `${trustProxy} names proxies`);
  const collecting = await startCollecting(limits);
  const observed: [object, number][] = [];
  const faults: Fault[] = [];
  const takeDirectly = takeBeaconsDirectly({
    clock: collecting.clock,
    collector: collecting.collector,
    addressLimit: createAddressLimit(perMinute, createProcessLimiters(collecting.clock)),
    authenticate: async () => {
      throw new Fault('UNAUTHENTICATED', 'There are no keys here');
    },
    bodyMemory: createBodyMemory(roomBytes),
    meterOf: (labels) => (seconds) => observed.push([labels, seconds]),
    noteFault: (_, fault) => faults.push(fault),
    headers: { 'x-of-all': 'yes' },
    addressOf: senderAddress(trustedProxies),
    senderOf: createSenderReader(() => undefined),
    silenceMs,
    noteSent: () => {},
    logger: pino({ level: 'silent' }),
  });
  const server = await startLocalServer((request, response) => {
    if (!takeDirectly(request, response)) response.writeHead(501).end();
  });
  return {
    collecting,
    port: server.port,
    observed,
    faults,
    async stop() {
      await server.close();
      await collecting.stop();
    },
  };
}
