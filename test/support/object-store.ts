/** A real object store that speaks S3, on a free port, and what may happen on the way to it. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { startLocalServer } from './local-server.ts';

const bucket = 'copies';

export interface ObjectStore {
  /** `s3://` and the bucket's name. */
  readonly location: string;
  /** What a process needs to reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file in which it keeps an object. */
  fileOf(key: string): string;
  /**
   * What is done with requests from now on; by default they reach the store. Those that are not
   * passed on and not answered hang.
   */
  meet(meeting: (request: Met) => void): void;
  close(): Promise<void>;
}

interface Met {
  /** Such as `PUT /copies/first/secret`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** Lets it through to the store. */
  pass(): void;
}

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'playmeter-objects-'));
  const configureBuckets = [{ name: bucket }];
  const s3 = new S3rver({ silent: true, directory, vhostBuckets: false, configureBuckets });
  await s3.configureBuckets();
  const toStore = s3.getMiddleware();
  let meet = ({ pass }: Met) => pass();
  const server = await startLocalServer((request: IncomingMessage, response) => {
    const line = `${request.method} ${decodeURIComponent(request.url ?? '')}`;
    const { headers } = request;
    meet({ line, headers, response, pass: () => toStore(request, response) });
  });
  return {
    location: `s3://${bucket}`,
    environment: {
      AWS_ENDPOINT_URL: server.url,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    fileOf: (key) => join(directory, bucket, `${key}._S3rver_object`),
    meet(meeting) {
      meet = meeting;
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
