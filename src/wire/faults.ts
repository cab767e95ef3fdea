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
    advice: 'Add every parameter that `errors` names.',
  },
  INVALID_PARAMETER: {
    status: 400,
    title: 'A parameter is not valid',
    retryable: false,
    advice: 'Correct every parameter that `errors` names; each says what would be taken.',
  },
  TOKEN_INVALID: {
    status: 400,
    title: 'The continuation token is not valid',
    retryable: false,
    advice:
      'Send `requestId` and `nextToken` of one answer, unaltered, to the address and with a key ' +
      'of the account that it came from.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'A valid API key is required',
    retryable: false,
    advice: 'Send a key in the header `x-api-key`. One that was revoked or has expired is no key.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'The API key lacks the scope for this address',
    retryable: false,
    advice: 'Use a key with the scope that `detail` names.',
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
    title: 'The address does not take this method',
    retryable: false,
    advice: 'Use a method that the header `Allow` lists.',
  },
  CONFLICT: {
    status: 409,
    title: 'The request conflicts with what is stored',
    retryable: false,
    advice: 'Read what is stored, and decide which of the two is right.',
  },
  TOKEN_EXPIRED: {
    status: 410,
    title: 'The continuation token has expired',
    retryable: false,
    advice: 'Ask the first page again: a new answer, with new pages.',
  },
  GONE: {
    status: 410,
    title: 'What was here has been taken away for good',
    retryable: false,
    advice: 'Stop sending there: the video was taken out of its package.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The request body is too large',
    retryable: false,
    advice: 'Send fewer at once.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The content type is not supported',
    retryable: false,
    advice: 'Send the content type that the address takes.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    advice: 'Wait as many seconds as the header `Retry-After` says, then send it again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong here',
    retryable: false,
    advice: 'A mistake of the service: its log tells more than the answer. Please report it.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Not available just now',
    retryable: true,
    advice:
      'Wait as many seconds as the header `Retry-After` says, then send the same again. Nothing ' +
      'of the request was promised; beacons may be sent any number of times.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type FaultCode = keyof typeof faultCatalogue;

/** One bad parameter, by the name that the caller used. */
export interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
}

interface FaultOptions {
  readonly errors?: readonly ParameterFault[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** What the outside world did wrong or could not do. Caught only at the edges (api, cli). */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly errors: readonly ParameterFault[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FaultCode, detail: string, options: FaultOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The body of every error answer, for clients of either habit. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Always about:blank: `code` tells the kind' }),
    title: Type.String({ description: 'The kind, in words that do not change' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status once more' }),
    detail: Type.String({ description: 'This very case, in words' }),
    code: Type.Enum(Object.keys(faultCatalogue) as FaultCode[], { description: 'The kind' }),
    isSuccess: Type.Literal(false),
    message: Type.String({ description: 'The same as `detail`' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            parameter: Type.String({ description: 'By the name that the caller used' }),
            detail: Type.String({ description: 'What is wrong with it' }),
          },
          { additionalProperties: false },
        ),
        { description: 'Every bad parameter at once' },
      ),
    ),
  },
  { title: 'Problem', additionalProperties: false },
);
export type Problem = Static<typeof Problem>;

export function problemOf(fault: Fault): Problem {
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
