/** Several bundled engines as the shards of a cluster on one machine: to try it, and for tests. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../lib/logger.ts';
import { freePort } from '../lib/network/free-port.ts';
import { type Engine, startEngine } from './engine.ts';

export interface EngineShards {
  readonly cluster: string;
  /** By shard. */
  readonly engines: readonly Engine[];
  /** On which they speak with each other. */
  readonly ports: readonly number[];
  readonly username: string;
  readonly password: string;
  stop(): Promise<void>;
}

interface ShardsOptions {
  readonly folder: string;
  readonly count: number;
  /** Of each. */
  readonly memoryMb: number;
  readonly logger: Logger;
}

/** Returns at once, as `startEngine` does. */
export async function startShards(options: ShardsOptions): Promise<EngineShards> {
  const { folder, count, memoryMb, logger } = options;
  const cluster = 'shards';
  const password = randomBytes(24).toString('base64url');
  const ports: number[] = [];
  // One after the other: two that look at the same time may find the same port.
  while (ports.length < count) ports.push(await freePort());
  const engines = await Promise.all(
    ports.map((ownPort, index) =>
      startEngine({
        folder: join(folder, `shard-${index + 1}`),
        memoryMb,
        logger,
        shard: { cluster, ports, ownPort, password },
      }),
    ),
  );
  return {
    cluster,
    engines,
    ports,
    username: engines[0]?.access.username ?? '',
    password,
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()));
    },
  };
}
