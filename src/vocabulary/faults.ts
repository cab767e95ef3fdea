/**
 * The error catalogue: every code the interface may answer with. docs/errors.md is made of it.
 * Source: INTERFACE of the service, section 1 (RFC 9457 problem details).
 */
import Type, { type Static } from 'typebox';

interface CatalogueEntry {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** What the caller can do. */
  readonly advice: string;
}

export const faultCatalogue = {
  MISSING_PARAMETER: {
    status: 400,
    title: 'A required parameter is missing',
    retryable: false,
    advice: 'Add every parameter that `errors` lists.',
  },
  INVALID_PARAMETER: {
    status: 400,
    title: 'A parameter is not valid',
    retryable: false,
    advice: 'Correct every parameter that `errors` lists; each `detail` says what is accepted.',
  },
  TOO_MANY_ROWS: {
    status: 400,
    title: 'The answer would have too many rows',
    retryable: false,
    advice:
      'Ask for fewer dimensions or coarser ones, for a shorter range, or filter: `detail` says ' +
      'how many rows there would be.',
  },
  TOKEN_INVALID: {
    status: 400,
    title: 'The continuation token is not valid',
    retryable: false,
    advice:
      'Send `requestId` and `nextToken` of the same answer, unchanged, to the same path, with a ' +
      'key of the same account.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'A valid API key is required',
    retryable: false,
    advice: 'Send an API key in the header `x-api-key`. Revoked and expired keys are refused.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'The API key does not allow this operation',
    retryable: false,
    advice: 'Use a key with the scope that `detail` names, or ask for what the key allows.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    retryable: false,
    advice:
      'Check the path and the ids. What belongs to another account is answered as if it did not ' +
      'exist.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not support this method',
    retryable: false,
    advice: 'Use one of the methods in the header `Allow`.',
  },
  CONFLICT: {
    status: 409,
    title: 'The request conflicts with what is stored',
    retryable: false,
    advice: 'Read what is stored, then change it or the request.',
  },
  TOKEN_EXPIRED: {
    status: 410,
    title: 'The continuation token has expired',
    retryable: false,
    advice: 'Request the first page again: it starts a new snapshot.',
  },
  GONE: {
    status: 410,
    title: 'The video has been taken out of its package',
    retryable: false,
    advice:
      'Stop reporting under this `videoKey`. If the video is put back into the package, it has ' +
      'the same key again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The request body is too large',
    retryable: false,
    advice: 'Send less at once: split the request into several.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The content type is not supported',
    retryable: false,
    advice: 'Send one of the content types that the operation accepts.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    advice: 'Wait as many seconds as the header `Retry-After` says, then send the request again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    retryable: false,
    advice: 'This is a bug in the service; please report it. Its log has the details.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Temporarily unavailable',
    retryable: true,
    advice:
      'Wait as many seconds as the header `Retry-After` says, then send the same request again. ' +
      'Beacons sent twice count once.',
  },
  VERSION_NOT_SUPPORTED: {
    status: 505,
    title: 'The version of HTTP is not supported',
    retryable: false,
    advice: 'Send HTTP/1.1. A proxy may speak other versions to its clients.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type FaultCode = keyof typeof faultCatalogue;

/** One bad parameter, by the name that the caller used. */
export interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
}

/** What was missing where UNAVAILABLE was answered: room on the disk, a store, a right clock. */
export const unavailableReasons = [
  ...(['disk', 'store', 'catalog', 'overload', 'role', 'stopping', 'clock'] as const),
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

interface FaultOptions {
  readonly errors?: readonly ParameterFault[];
  readonly retryAfterSeconds?: number;
  /** Of RATE_LIMITED: the name of the limit, for metrics. */
  readonly limit?: string;
  /** Of RATE_LIMITED, where no header says it yet: what one person may do in a minute. */
  readonly personPerMinute?: number;
  /** Of UNAVAILABLE, for metrics; default: the store. */
  readonly reason?: UnavailableReason;
  readonly cause?: unknown;
}

/** What the outside world did wrong or could not do. Caught only at the edges (api, cli). */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly errors: readonly ParameterFault[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: string | undefined;
  readonly personPerMinute: number | undefined;
  readonly reason: UnavailableReason;

  constructor(code: FaultCode, detail: string, options: FaultOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.personPerMinute = options.personPerMinute;
    this.reason = options.reason ?? 'store';
  }
}

/** The body of every error answer, for clients of either habit. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Always `about:blank`: `code` identifies the error' }),
    title: Type.String({
      description: 'The error in words, the same for all errors with this code',
    }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
    detail: Type.String({ description: 'What is wrong in this case, for people' }),
    code: Type.Enum(Object.keys(faultCatalogue) as FaultCode[], {
      description: 'Identifies the error; switch on this',
    }),
    isSuccess: Type.Literal(false),
    message: Type.String({ description: 'The same as `detail`' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            parameter: Type.String({ description: 'Its name in the request' }),
            detail: Type.String({ description: 'What is wrong with it' }),
          },
          { additionalProperties: false },
        ),
        { description: 'Every invalid parameter or member, all at once' },
      ),
    ),
  },
  { title: 'Problem', additionalProperties: false },
);
export type Problem = Static<typeof Problem>;

export function toProblem(fault: Fault): Problem {
  const { status, title } = faultCatalogue[fault.code];
  return {
    type: 'about:blank',
    title,
    status,
    detail: fault.message,
    code: fault.code,
    isSuccess: false,
    message: fault.message,
    ...(fault.errors ? { errors: [...fault.errors] } : {}),
  };
}
