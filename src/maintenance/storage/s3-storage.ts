/** A place in a bucket of an object store: `s3://bucket/prefix`. */
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { Fault } from '../../vocabulary/faults.ts';
import { createS3Client, type S3Access, type S3Client, textIn, textsIn } from './s3-client.ts';
import { readObject } from './s3-read.ts';
import { uploadObject } from './s3-upload.ts';
import type { Place } from './storage-target.ts';

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
    async writeText(path, text) {
      await client.send({ method: 'PUT', key: keyOf(path), body: Buffer.from(text) });
    },
    async remove(path) {
      const keys = path === undefined ? await listKeys(client, top) : [keyOf(path)];
      const left = keys.values();
      const work = async (): Promise<void> => {
        for (const key of left) await client.send({ method: 'DELETE', key });
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
