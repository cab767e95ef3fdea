/**
 * Writes an object: at once if it is small, otherwise in parts. It is seen only when all of it is
 * there, and no more than one part is in memory.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Fault } from '../../vocabulary/faults.ts';
import { type S3Client, textIn } from './s3-client.ts';
import type { Hashed, WriteOptions } from './storage-target.ts';

/** A store takes parts of 5 MB or more, and one object in one request up to 5 GB. */
export const partBytes = 16 * 1_048_576;
const mostParts = 10_000;

interface Part {
  readonly number: number;
  readonly etag: string;
}

export async function uploadObject(
  client: S3Client,
  key: string,
  bytes: Readable,
  { signal, bytes: expected = 0 }: WriteOptions,
): Promise<Hashed> {
  const hash = createHash('sha256');
  let size = 0;
  let upload: MultipartUpload | undefined;
  try {
    const portions = portionsOf(bytes, Math.max(partBytes, Math.ceil(expected / mostParts)));
    for await (const { portion, isLast } of portions) {
      signal.throwIfAborted();
      hash.update(portion);
      size += portion.length;
      if (upload === undefined && isLast) {
        await client.send({ method: 'PUT', key, body: portion, signal });
        break;
      }
      upload ??= await beginUpload(client, key, signal);
      await upload.send(portion);
    }
    await upload?.complete();
  } catch (error) {
    bytes.destroy();
    await upload?.abort();
    throw error;
  }
  return { bytes: size, sha256: hash.digest('hex') };
}

/** At least one, all but the last of them of the same length. */
async function* portionsOf(
  bytes: Readable,
  length: number,
): AsyncGenerator<{ portion: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    // A portion that ends with the bytes is the last: it waits for one more byte.
    while (waitingBytes > length) {
      const all = Buffer.concat(waiting);
      yield { portion: all.subarray(0, length), isLast: false };
      waiting = [all.subarray(length)];
      waitingBytes -= length;
    }
  }
  yield { portion: Buffer.concat(waiting), isLast: true };
}

interface MultipartUpload {
  send(portion: Buffer): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

async function beginUpload(
  client: S3Client,
  key: string,
  signal: AbortSignal,
): Promise<MultipartUpload> {
  const begun = await client.send({ method: 'POST', key, query: { uploads: '' }, signal });
  const uploadId = textIn((await begun?.text()) ?? '', 'UploadId');
  if (uploadId === undefined) throw new Fault('CONFLICT', 'The store gives no id of an upload');
  const parts: Part[] = [];
  return {
    async send(body) {
      const number = parts.length + 1;
      if (number > mostParts) throw new Fault('CONFLICT', `${key} is too large for the store`);
      const query = { partNumber: String(number), uploadId };
      const sent = await client.send({ method: 'PUT', key, query, body, signal });
      parts.push({ number, etag: sent?.headers.get('etag') ?? '' });
    },
    async complete() {
      const listed = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = Buffer.from(
        `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`,
      );
      const done = await client.send({ method: 'POST', key, query: { uploadId }, body, signal });
      // It may begin with 200 and fail later.
      const answer = (await done?.text()) ?? '';
      const code = textIn(answer, 'Code');
      if (done && code === undefined) return;
      throw new Fault('UNAVAILABLE', `The store could not put ${key} together: ${code}`);
    },
    async abort() {
      // What is left is removed by the bucket's own rule; the first error matters more.
      await client.send({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
    },
  };
}
