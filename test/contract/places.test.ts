/** Where backups and exports go: a folder, and an object store that speaks S3. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPlace } from '../../src/app/parts/storage-target.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { S3Access } from '../../src/maintenance/storage/s3-client.ts';
import type { Place } from '../../src/maintenance/storage/storage-target.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';

let store: ObjectStore;
let folder: string;
let access: S3Access;
const { signal } = new AbortController();
beforeAll(async () => {
  store = await startObjectStore();
  folder = await mkdtemp(join(tmpdir(), 'playmeter-place-'));
  access = {
    accessKeyId: store.environment.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: store.environment.AWS_SECRET_ACCESS_KEY ?? '',
    region: 'us-east-1',
    endpoint: store.environment.AWS_ENDPOINT_URL,
    clock: { ...systemClock, after: (_, work) => systemClock.after(1, work) },
  };
});
afterEach(() => store.meet(({ pass }) => pass()));
afterAll(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

const hashed = (bytes: Buffer) => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});
const inS3 = (path: string) => openPlace(`${store.location}/${path}`, access);

describe.each([
  ['a folder', (path: string) => openPlace(join(folder, path), undefined)],
  ['S3', inS3],
] as const)('%s', (_, open) => {
  test('gives back what was written, byte by byte', async () => {
    const place = open('written');
    const names = ['empty', 'one', 'in/ü +=%41(1).bin'];
    const contents = [0, 1, 70_000].map((length) => randomBytes(length));
    for (const [index, name] of names.entries()) {
      const bytes = contents[index] as Buffer;
      expect(await place.write(name, Readable.from([bytes]), { signal })).toEqual(hashed(bytes));
      expect(await buffer(await place.read(name))).toEqual(bytes);
    }
    await place.writeText('text', 'Größe');
    expect(await place.readText('text')).toBe('Größe');
    expect((await place.names()).sort()).toEqual(['empty', 'in', 'one', 'text']);
    expect(await place.inside('in').names()).toEqual(['ü +=%41(1).bin']);
  });

  test('tells what is missing, and removes', async () => {
    const place = open('removed');
    expect(await place.names()).toEqual([]);
    expect(await place.readText('none')).toBeUndefined();
    await expect(place.read('none')).rejects.toThrow(/none is missing/);
    await place.writeText('a', 'a');
    await place.writeText('b/c', 'c');
    await place.remove('a');
    await place.remove('a');
    expect(await place.names()).toEqual(['b']);
    await place.remove();
    expect(await place.names()).toEqual([]);
  });

  test('names its neighbours so that both may be moved', async () => {
    const name = open('all/tuesday').nameOf(open('all/monday'));
    expect(open('moved/tuesday').resolve(name).location).toBe(open('moved/monday').location);
  });

  test('shows nothing of a file whose bytes end with an error', async () => {
    const place = open('broken');
    const broken = Readable.from(
      (function* () {
        yield randomBytes(100);
        throw new Error('no more');
      })(),
    );
    await expect(place.write('file', broken, { signal })).rejects.toThrow('no more');
    expect(await place.names()).toEqual([]);
  });
});

describe('S3', () => {
  const large = randomBytes(34 * 1_048_576);
  const chunks = Array.from({ length: 34 }, (_, index) =>
    large.subarray(index * 1_048_576, (index + 1) * 1_048_576),
  );
  const write = (place: Place, from: Iterable<Buffer> = chunks) =>
    place.write('large', Readable.from(from), { signal });

  test('writes what is large in parts, and reads on where the connection broke', {
    tags: 'long',
  }, async () => {
    const lines: string[] = [];
    store.meet(({ line, response, pass }) => {
      lines.push(line);
      // Each part fails once, as does each reading after 20 MB.
      const isFirst = lines.filter((one) => one === line).length === 1;
      if (line.startsWith('PUT') && isFirst) response.writeHead(503).end();
      else if (line.startsWith('PUT')) pass();
      else breakAfter(response, isFirst ? 20_000_000 : Number.POSITIVE_INFINITY, pass);
    });
    const place = inS3('parts');
    expect(await write(place)).toEqual(hashed(large));
    expect(lines.filter((line) => line.startsWith('PUT'))).toHaveLength(6);
    expect(hashed(await buffer(await place.read('large')))).toEqual(hashed(large));
    expect(lines.filter((line) => line.startsWith('GET'))).toHaveLength(2);
  });

  test('leaves no object of an upload that was interrupted', { tags: 'long' }, async () => {
    const place = inS3('broken-parts');
    const breaking = (function* () {
      yield* chunks;
      throw new Error('no more');
    })();
    await expect(write(place, breaking)).rejects.toThrow('no more');
    expect(await place.names()).toEqual([]);
  });

  test('lists more than a page', { tags: 'long' }, async () => {
    const place = inS3('many');
    const names = Array.from({ length: 1_003 }, (_, index) => `${1_000 + index}`);
    const left = names.values();
    const work = async () => {
      for (const name of left) await place.writeText(name, '');
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(await place.names()).toEqual(names);
  });

  test('signs each request with the SHA-256 of its body, and sends no secret', async () => {
    const secretAccessKey = 'a secret that is not sent';
    const sent: string[] = [];
    store.meet(({ line, headers, response }) => {
      sent.push(`${line} ${headers['x-amz-content-sha256']} ${headers.authorization}`);
      response.writeHead(200).end();
    });
    const place = openPlace(`${store.location}/signed`, { ...access, secretAccessKey });
    await place.writeText('manifest.json', 'facts');
    const { sha256 } = hashed(Buffer.from('facts'));
    expect(sent).toEqual([
      expect.stringMatching(
        `^PUT /copies/signed/manifest\\.json ${sha256} AWS4-HMAC-SHA256 Credential=S3RVER/`,
      ),
    ]);
    expect(sent[0]).toMatch(/SignedHeaders=[\w;-]*x-amz-content-sha256/);
    expect(sent[0]).not.toContain(secretAccessKey);
  });

  test('says what the store refuses', async () => {
    const wrong = { ...access, secretAccessKey: 'wrong' };
    const place = openPlace(`${store.location}/x`, wrong);
    await expect(place.names()).rejects.toThrow(/copies refuses: SignatureDoesNotMatch/);
    const elsewhere = openPlace('s3://no-such-bucket/x', access);
    await expect(elsewhere.readText('x')).rejects.toThrow(/no-such-bucket refuses: NoSuchBucket/);
    expect(() => openPlace('s3://', access)).toThrow(/no name of a bucket/);
    expect(() => openPlace('s3://copies', undefined)).toThrow(/AWS_SECRET_ACCESS_KEY/);
    store.meet(({ response }) => response.destroy());
    await expect(place.names()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

/** Ends the connection after so many bytes of the answer. */
function breakAfter(response: ServerResponse, bytes: number, pass: () => void): void {
  const write = response.write.bind(response);
  let written = 0;
  response.write = ((chunk: Buffer, ...rest: []) => {
    written += chunk.length;
    if (written > bytes) response.destroy();
    return write(chunk, ...rest);
  }) as typeof response.write;
  pass();
}
