import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Connection, createNetworkConnections } from './connection-group.ts';

/** Whether one more from this address would be let in. */
function fill(limit: number) {
  const networks = createNetworkConnections(limit, () => {});
  const busy: Connection = {
    answer: { writableEnded: false, req: { complete: true } } as ServerResponse,
    requests: 1,
    close: () => {},
  };
  return (address: string): boolean => {
    const groups = networks.of(address);
    if (groups.some((group) => !group.makeRoom())) return false;
    for (const group of groups) group.add({ ...busy });
    return true;
  };
}

test('an address has its own limit; a /48 network twice as much, of whichever of its networks', () => {
  const isIn = fill(2);
  const from = (network: number) => isIn(`2001:db8:1:${network}::1`);
  expect([from(1), from(1), from(1)]).toEqual([true, true, false]);
  expect([from(2), from(3), from(4)]).toEqual([true, true, false]);
  expect(isIn('2001:db8:2::1')).toBe(true);
  const ofIPv4 = ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.3'];
  expect(ofIPv4.map(isIn)).toEqual([true, true, false, true, true]);
});
