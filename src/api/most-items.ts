import type { IncomingMessage } from 'node:http';

/** Beacons and events take this much, nearly all of them more. */
const bytesPerItem = 128;

/** How many beacons or events a body may hold, by the length that it announces. */
export function mostItemsIn({ headers }: IncomingMessage, limit: number): number {
  const length = headers['content-length'];
  return length === undefined ? limit : Math.min(limit, Math.ceil(Number(length) / bytesPerItem));
}
