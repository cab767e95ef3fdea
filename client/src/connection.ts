/** Requests to one server with one key: bounded in time, repeated where that can help. */
import { errorOfAnswer, errorOfFailure, PlaymeterError, unreadable } from './playmeter-error.ts';
import { isRetryable, retryDelayMs } from './retry.ts';

export interface ConnectionOptions {
  /** Where the server is, e.g. https://media.example.com; a path before its own is kept. */
  readonly url: string | URL;
  readonly key?: string;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** For each attempt, with its body; default 30 000. */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent again, after 429, 502, 503, 504, no answer, or a 403, 404, 408 or
   * 425 that is not Playmeter's; default 3.
   */
  readonly retries?: number;
}

export interface CallOptions {
  /** Ends the call with the reason of the signal, also while it waits to try again. */
  readonly signal?: AbortSignal;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

interface Answer<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

export interface Connection {
  get<Body>(path: string, query: Query, options: CallOptions): Promise<Answer<Body>>;
  getCsv(path: string, query: Query, options: CallOptions): Promise<string>;
  /** Only for what may be sent twice, or with a key that makes it happen once. */
  post<Body>(path: string, message: object, options: PostOptions): Promise<Answer<Body>>;
  /** These may be sent twice by their nature. */
  change<Body>(
    method: 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    message: object | undefined,
    options: CallOptions,
  ): Promise<Answer<Body>>;
}

interface PostOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

interface ReadOptions extends CallOptions {
  /** Default: as JSON. */
  readonly read?: (text: string, response: Response) => unknown;
}

type Persist = <Body>(url: string, init: RequestInit, call: ReadOptions) => Promise<Answer<Body>>;

export function connect(options: ConnectionOptions): Connection {
  const { key, timeoutMs = 30_000, retries = 3 } = options;
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const base = String(options.url).replace(/\/+$/, '');
  // The service redirects none of these. Followed, a header of our own would go to any server.
  const redirect = key === undefined ? 'follow' : 'manual';

  const attempt = async <Body>(url: string, init: RequestInit, call: ReadOptions) => {
    const { signal, read = parse } = call;
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    let response: Response;
    let text: string;
    try {
      response = await send(url, { ...init, redirect, signal: either });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      throw errorOfFailure(cause, timeout.aborted);
    }
    if (!response.ok) throw errorOfAnswer(response, text);
    // 204 has nothing to read.
    const body = response.status === 204 ? undefined : read(text, response);
    return { body: body as Body, headers: response.headers };
  };

  const persist: Persist = async <Body>(url: string, init: RequestInit, call: ReadOptions) => {
    const { signal } = call;
    let mayBeDone = false;
    for (let retry = 0; ; retry += 1) {
      signal?.throwIfAborted();
      try {
        return await attempt<Body>(url, init, call);
      } catch (error) {
        if (mayBeDone && init.method === 'DELETE' && isNotFound(error)) {
          // By an attempt before, whose answer was lost.
          return { body: undefined as Body, headers: new Headers() };
        }
        if (!isRetryable(error) || retry >= retries) throw error;
        mayBeDone ||= error.code !== 'RATE_LIMITED';
        const delayMs = retryDelayMs(retry, error.retryAfterSeconds, Math.random());
        if (delayMs === undefined) throw error;
        await waitMs(delayMs, signal);
      }
    }
  };

  return requestsBy(persist, base, key);
}

function requestsBy(persist: Persist, base: string, key: string | undefined): Connection {
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
  return {
    get: (path, query, call) => persist(base + path + searchOf(query), { headers }, call),
    async getCsv(path, query, call) {
      const init = { headers: { ...headers, accept: 'text/csv' } };
      return (await persist<string>(base + path + searchOf(query), init, asText(call))).body;
    },
    post: (path, message, call) => {
      // Without a key, as text: a browser then needs no preflight.
      const type = key === undefined ? 'text/plain' : 'application/json';
      const { idempotencyKey } = call;
      const once = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const init = { method: 'POST', headers: { ...headers, ...once, 'content-type': type } };
      return persist(base + path, { ...init, body: JSON.stringify(message) }, call);
    },
    change: (method, path, message, call) => {
      if (message === undefined) return persist(base + path, { method, headers }, call);
      const init = { method, headers: { ...headers, 'content-type': 'application/json' } };
      return persist(base + path, { ...init, body: JSON.stringify(message) }, call);
    },
  };
}

function asText(call: CallOptions): ReadOptions {
  return { ...call, read: (text) => text };
}

function isNotFound(error: unknown): boolean {
  return error instanceof PlaymeterError && error.code === 'NOT_FOUND';
}

/** The part of a URL that begins with `?`; empty if there is none. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(response, cause);
  }
}

function waitMs(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
