import type { Problem } from './interface.ts';

/**
 * A code of the server's catalogue, or one of ours: NETWORK (no answer), TIMEOUT (none in time),
 * UNREADABLE (an answer that is not Playmeter's, of a proxy for example).
 */
export type PlaymeterErrorCode = Problem['code'] | 'NETWORK' | 'TIMEOUT' | 'UNREADABLE';

interface Particulars {
  readonly status?: number;
  readonly errors?: Problem['errors'];
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call did not succeed. Decide by `code`. */
export class PlaymeterError extends Error {
  readonly code: PlaymeterErrorCode;
  /** Of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** This very case, in words for people. */
  readonly detail: string;
  /** Every bad parameter. */
  readonly errors: NonNullable<Problem['errors']>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: PlaymeterErrorCode, detail: string, particulars: Particulars = {}) {
    const { status, errors = [], retryAfterSeconds, cause } = particulars;
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'PlaymeterError';
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function errorOfAnswer(response: Response, text: string): PlaymeterError {
  const { status } = response;
  const retryAfterSeconds = readSeconds(response.headers.get('retry-after'));
  const problem = readProblem(response, text);
  if (problem) {
    const { code, detail, errors = [] } = problem;
    return new PlaymeterError(code, detail, { status, errors, retryAfterSeconds });
  }
  const detail = `The server answered ${status}, but not in the form of Playmeter`;
  return new PlaymeterError('UNREADABLE', detail, { status, retryAfterSeconds });
}

export function errorOfFailure(cause: unknown, isLate: boolean): PlaymeterError {
  return isLate
    ? new PlaymeterError('TIMEOUT', 'The server did not answer in time', { cause })
    : new PlaymeterError('NETWORK', 'The server cannot be reached', { cause });
}

export function unreadable({ status }: Response, cause: unknown): PlaymeterError {
  return new PlaymeterError('UNREADABLE', 'The answer is not JSON', { status, cause });
}

function readProblem({ headers }: Response, text: string): Problem | undefined {
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return undefined;
  }
}

/** Playmeter sends seconds; a date, which proxies may send, is left to our own back-off. */
function readSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
