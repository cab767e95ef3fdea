/** Reads an object; where the connection breaks off, the rest is asked for. */
import { Fault } from '../../vocabulary/faults.ts';
import type { S3Client } from './s3-client.ts';

/** Breaks without a byte between them. */
const mostBreaks = 5;

/** Undefined if there is no such object. */
export async function readObject(
  client: S3Client,
  key: string,
  signal?: AbortSignal,
): Promise<AsyncGenerator<Uint8Array> | undefined> {
  const response = await client.send({ method: 'GET', key, signal });
  return response && bytesOf(client, { key, signal }, response);
}

async function* bytesOf(
  client: S3Client,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal | undefined },
  first: Response,
): AsyncGenerator<Uint8Array> {
  const etag = first.headers.get('etag');
  const size = Number(first.headers.get('content-length') ?? 0);
  let response: Response | undefined = first;
  let at = 0;
  for (let breaks = 0; ; breaks += 1) {
    try {
      for await (const chunk of response?.body ?? []) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
      if (at >= size) return;
    } catch (cause) {
      signal?.throwIfAborted();
      if (breaks === mostBreaks) throw brokenOff(key, cause);
    }
    if (breaks === mostBreaks) throw brokenOff(key, undefined);
    // What was written over meanwhile is not what was begun.
    const headers = { range: `bytes=${at}-`, ...(etag && { 'if-match': etag }) };
    response = await client.send({ method: 'GET', key, headers, signal });
    if (response?.status !== 206) throw brokenOff(key, undefined);
  }
}

function brokenOff(key: string, cause: unknown): Fault {
  return new Fault('UNAVAILABLE', `Reading ${key} was broken off`, { cause });
}
