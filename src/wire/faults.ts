/**
 * The error catalogue: every code the interface may answer with.
 * Source: INTERFACE of the service, section 1 (RFC 9457 problem details).
 */
export const faultCatalogue = {
  MISSING_PARAMETER: { status: 400, title: 'A required parameter is missing' },
  INVALID_PARAMETER: { status: 400, title: 'A parameter is not valid' },
  TOKEN_INVALID: { status: 400, title: 'The continuation token is not valid' },
  UNAUTHENTICATED: { status: 401, title: 'A valid API key is required' },
  FORBIDDEN: { status: 403, title: 'The API key lacks the scope for this address' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The address does not take this method' },
  CONFLICT: { status: 409, title: 'The request conflicts with what is stored' },
  TOKEN_EXPIRED: { status: 410, title: 'The continuation token has expired' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The content type is not supported' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Something went wrong here' },
  UNAVAILABLE: { status: 503, title: 'Not available just now' },
} as const satisfies Record<string, { status: number; title: string }>;

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
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: FaultCode;
  readonly isSuccess: false;
  readonly message: string;
  readonly errors?: readonly ParameterFault[];
}

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
    ...(fault.errors ? { errors: fault.errors } : {}),
  };
}
