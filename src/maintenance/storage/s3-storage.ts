/** A place in a bucket of an object store: `s3://bucket/prefix`. */

import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { Fault } from '../../vocabulary/faults.ts';
import { createS3Client, type S3Access, type S3Client, textIn, textsIn } from './s3-client.ts';
import type { Hashed, Place, WriteOptions } from './storage-target.ts';

const removedAtOnce = 8;
const writesAtOnce = 4;
export const s3Scheme = 's3://';

/** Throws CONFLICT if the location names no bucket. */
export function s3Place(location: string, access: S3Access): Place {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(location) ?? [];
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/i.test(bucket)) {
    throw new Fault('CONFLICT', `${location} has no name of a bucket: s3://BUCKET/PREFIX`);
  }
  const path = prefix.split('/').filter((part) => part !== '');
  return placeIn(createS3Client(access, bucket), bucket, path.join('/'));
}

function placeIn(client: S3Client, bucket: string, prefix: string): Place {
  const location = `${s3Scheme}${bucket}${prefix && `/${prefix}`}`;
  const keyOf = (path: string) => (prefix === '' ? path : `${prefix}/${path}`);
  const top = keyOf('');
  return {
    location,
    writesAtOnce,
    // Relative to the prefix that both have, so that the backups may be moved together.
    resolve: (from) => placeIn(client, bucket, posix.join('/', prefix, '..', from).slice(1)),
    nameOf(other) {
      const within = `${s3Scheme}${bucket}/`;
      if (other.location.startsWith(within)) {
        const key = other.location.slice(within.length);
        return posix.relative(posix.join('/', prefix, '..'), `/${key}`);
      }
      throw new Fault('CONFLICT', `${other.location} must be in the bucket ${bucket} as well`);
    },
    inside: (name) => placeIn(client, bucket, keyOf(name)),
    async names() {
      const keys = await listKeys(client, top, '/');
      return keys.map((key) => key.slice(top.length).replace(/\/$/, '')).sort();
    },
    async sizeOf(path) {
      const response = await client.send({ method: 'HEAD', key: keyOf(path) });
      return response && Number(response.headers.get('content-length'));
    },
    async readText(path) {
      const response = await client.send({ method: 'GET', key: keyOf(path) });
      return response?.text();
    },
    async read(path, signal) {
      const bytes = await readObject(client, keyOf(path), signal);
      if (bytes) return Readable.from(bytes, { objectMode: false });
      throw new Fault('NOT_FOUND', `${location}/${path} is missing`);
    },
    write: (path, bytes, options) => uploadObject(client, keyOf(path), bytes, options),
    async writeText(path, text, confirm) {
      await client.send({ method: 'PUT', key: keyOf(path), body: Buffer.from(text), confirm });
    },
    async remove(path, confirm) {
      const keys = path === undefined ? await listKeys(client, top) : [keyOf(path)];
      const left = keys.values();
      const work = async (): Promise<void> => {
        for (const key of left) await client.send({ method: 'DELETE', key, confirm });
      };
      await Promise.all(Array.from({ length: removedAtOnce }, work));
    },
  };
}

/**
 * All keys that begin with the prefix; with a delimiter, only up to where it next occurs. By the
 * first form of the request, which all stores know: where a page ends, the next begins.
 */
async function listKeys(client: S3Client, prefix: string, delimiter?: string): Promise<string[]> {
  const found = new Set<string>();
  for (let marker = ''; ; ) {
    const query = {
      'encoding-type': 'url',
      prefix,
      ...(delimiter !== undefined && { delimiter }),
      ...(marker !== '' && { marker }),
    };
    const page = (await (await client.send({ method: 'GET', query }))?.text()) ?? '';
    const read = textIn(page, 'EncodingType') === 'url' ? decoded : (key: string) => key;
    const listed = [...textsIn(page, 'Key'), ...textsIn(page, 'Prefix')]
      .map(read)
      .filter((key) => key.startsWith(prefix) && key !== prefix);
    for (const key of listed) found.add(key);
    if (textIn(page, 'IsTruncated') !== 'true') return [...found];
    const next = listed.reduce((one, other) => (one > other ? one : other), marker);
    // A store that does not go on would be asked for ever.
    if (next === marker) throw new Fault('UNAVAILABLE', `The store does not list all of ${prefix}`);
    marker = next;
  }
}

function decoded(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '));
}

/** Breaks without a byte between them. */
const mostBreaks = 5;

/**
 * Reads an object; where the connection breaks off, the rest is asked for. Undefined if there is no
 * such object.
 */
async function readObject(
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
      if (breaks === mostBreaks) throw interrupted(key, cause);
    }
    if (breaks === mostBreaks) throw interrupted(key, undefined);
    // What was written over meanwhile is not what was begun.
    const headers = { range: `bytes=${at}-`, ...(etag && { 'if-match': etag }) };
    response = await client.send({ method: 'GET', key, headers, signal });
    if (response?.status !== 206) throw interrupted(key, undefined);
  }
}

function interrupted(key: string, cause: unknown): Fault {
  return new Fault('UNAVAILABLE', `Reading ${key} was interrupted`, { cause });
}

/** A store takes parts of 5 MB or more, and one object in one request up to 5 GB. */
const partBytes = 16 * 1_048_576;
const mostParts = 10_000;

interface Part {
  readonly number: number;
  readonly etag: string;
}

/**
 * Writes an object: at once if it is small, otherwise in parts. It is seen only when all of it is
 * there, and no more than one part is in memory.
 */
async function uploadObject(
  client: S3Client,
  key: string,
  bytes: Readable,
  { signal, bytes: expected = 0, confirm }: WriteOptions,
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
        await client.send({ method: 'PUT', key, body: portion, signal, confirm });
        break;
      }
      upload ??= await beginUpload(client, key, { signal, confirm });
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
  { signal, confirm }: WriteOptions,
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
      const query = { uploadId };
      const done = await client.send({ method: 'POST', key, query, body, signal, confirm });
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
