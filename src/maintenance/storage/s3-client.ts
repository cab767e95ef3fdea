/**
 * Requests to an object store that speaks S3, each signed and repeated if that may help. Bodies are
 * signed with their SHA-256, so the store refuses what the way there has changed.
 */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Confirm } from './storage-target.ts';

const attempts = 6;
const firstPauseMs = 250;
/** What a store writes of an error is shorter; the rest is not read. */
const mostErrorCharacters = 500;

export interface S3Access {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly region: string;
  /** Of a store that is not Amazon's: buckets are in its path. */
  readonly endpoint?: string | undefined;
  readonly clock: Clock;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Inside the bucket; empty: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Awaited before each attempt. */
  readonly confirm?: Confirm | undefined;
}

/** Requests within one bucket. */
export interface S3Client {
  /** Undefined: there is no such object. Rejects with a fault for any other failure. */
  send(request: S3Request): Promise<Response | undefined>;
}

export function createS3Client(access: S3Access, bucket: string): S3Client {
  const base = createUrl(access, bucket);
  const signingKeys = new Map<string, ArrayBuffer>();
  const attempt = async (request: S3Request): Promise<Response> => {
    const { method, key = '', query = {}, body, headers = {}, signal } = request;
    const path = key === '' ? '' : `/${key.split('/').map(encoded).join('/')}`;
    const url = new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const { accessKeyId, secretAccessKey, sessionToken, region } = access;
    const signed = await new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      region,
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      service: 's3',
      datetime: new Date(access.clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      cache: signingKeys,
    }).sign();
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      ...(body && { body: new Uint8Array(body) }),
      ...(signal && { signal }),
    });
  };
  return {
    async send(request) {
      for (let tries = 1; ; tries += 1) {
        const isLast = tries === attempts;
        await request.confirm?.();
        const outcome = await readOutcome(attempt(request), request.signal);
        if (outcome instanceof Response) {
          if (outcome.ok) {
            // Nobody reads what these answer; unread it would hold the connection.
            if (request.method === 'PUT' || request.method === 'DELETE') await outcome.text();
            return outcome;
          }
          const failure = await readFailure(outcome);
          if (failure.code === 'NoSuchKey') return undefined;
          if (isLast || !failure.mayPass) throw toFault(failure, bucket);
        } else if (isLast) {
          throw new Fault('UNAVAILABLE', `${base} cannot be reached`, { cause: outcome.cause });
        }
        await sleep(access.clock, firstPauseMs * 2 ** (tries - 1), request.signal);
      }
    },
  };
}

function createUrl({ endpoint, region }: S3Access, bucket: string): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${encoded(bucket)}`;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // The certificate of the store does not cover names with dots.
  return bucket.includes('.')
    ? `https://s3.${region}.${suffix}/${encoded(bucket)}`
    : `https://${bucket}.s3.${region}.${suffix}`;
}

/** As the signature wants it: all but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function readOutcome(
  response: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response | { readonly cause: unknown }> {
  try {
    return await response;
  } catch (error) {
    signal?.throwIfAborted();
    // What fetch throws says nothing; its cause says what the network did.
    return { cause: error instanceof Error ? (error.cause ?? error) : error };
  }
}

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean;
}

async function readFailure(response: Response): Promise<Failure> {
  const { status } = response;
  const text = (await response.text().catch(() => '')).slice(0, mostErrorCharacters);
  const code = textIn(text, 'Code') ?? (status === 404 ? 'NoSuchKey' : `status ${status}`);
  const mayPass = status >= 500 || status === 429 || code === 'RequestTimeout';
  return { status, code, message: textIn(text, 'Message') ?? '', mayPass };
}

function toFault({ status, code, message, mayPass }: Failure, bucket: string): Fault {
  const fault = mayPass ? 'UNAVAILABLE' : status === 404 ? 'NOT_FOUND' : 'CONFLICT';
  return new Fault(fault, `The bucket ${bucket} refuses: ${code}${message && `, ${message}`}`);
}

/** The first element of a name, in the small XML that stores answer; no parser is needed for it. */
export function textIn(xml: string, element: string): string | undefined {
  return textsIn(xml, element)[0];
}

export function textsIn(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => unescaped(text));
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal ? String.fromCodePoint(Number(decimal)) : (entities[name] ?? all);
  });
}
