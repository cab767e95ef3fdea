import type { IncomingMessage } from 'node:http';

/** Bytes of a small beacon or event; nearly all are larger. */
const bytesPerItem = 128;

/** The most beacons or events that a body can contain, by its announced length. */
export function mostItemsIn({ headers }: IncomingMessage, limit: number): number {
  const length = headers['content-length'];
  return length === undefined ? limit : Math.min(limit, Math.ceil(Number(length) / bytesPerItem));
}
