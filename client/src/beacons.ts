import type { CallOptions, Connection } from './connection.ts';
import type { Beacon, BeaconsAnswer } from './interface.ts';

export interface Beacons {
  /**
   * Resolves when the accepted ones are durable. A beacon may be sent any number of times and
   * counts once, so a request that failed is repeated like any other. At most 1000 at once.
   */
  send(beacons: readonly Beacon[], options?: CallOptions): Promise<BeaconsAnswer>;
}

export function beaconsOf(connection: Connection): Beacons {
  return {
    async send(beacons, options = {}) {
      const path = '/collect/v1/beacons';
      const { body } = await connection.post<BeaconsAnswer>(path, { beacons }, options);
      return body;
    },
  };
}
