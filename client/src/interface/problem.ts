/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Problem {
  /** Always about:blank: `code` tells the kind */
  type: string;
  /** The kind, in words that do not change */
  title: string;
  /** The HTTP status once more */
  status: number;
  /** This very case, in words */
  detail: string;
  /** The kind */
  code:
    | 'MISSING_PARAMETER'
    | 'INVALID_PARAMETER'
    | 'TOKEN_INVALID'
    | 'UNAUTHENTICATED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'CONFLICT'
    | 'TOKEN_EXPIRED'
    | 'GONE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'UNAVAILABLE';
  isSuccess: false;
  /** The same as `detail` */
  message: string;
  /** Every bad parameter at once */
  errors?: {
    /** By the name that the caller used */
    parameter: string;
    /** What is wrong with it */
    detail: string;
  }[];
}
