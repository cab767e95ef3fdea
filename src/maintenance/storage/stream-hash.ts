import { createHash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Hashed } from './storage-target.ts';

/** Passes bytes on, and knows at the end what passed. */
export function hashing(): { stream: Transform; result(): Hashed } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

export async function hashOfStream(bytes: NodeJS.ReadableStream): Promise<Hashed> {
  const { stream, result } = hashing();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(bytes, stream, nowhere);
  return result();
}
