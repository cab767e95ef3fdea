import Type, { type TSchema } from 'typebox';

interface Header {
  readonly description: string;
  readonly schema: TSchema;
}

const instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:15:32.480Z'] });

/** Headers that answers carry beside those of HTTP itself. */
export const headers = {
  'As-Of': { description: 'The moment whose state all pages of the answer show.', schema: instant },
  'Complete-Through': {
    description: 'Everything that was acknowledged before this instant is in the answer.',
    schema: instant,
  },
  'RateLimit-Policy': {
    description: 'How many requests (q) a key or address may send in how many seconds (w).',
    schema: Type.String({
      pattern: '^"(key|address)";q=\\d+;w=\\d+$',
      examples: ['"key";q=600;w=60'],
    }),
  },
  RateLimit: {
    description: 'How many requests remain (r), and in how many seconds (t) all are back.',
    schema: Type.String({
      pattern: '^"(key|address)";r=\\d+;t=\\d+$',
      examples: ['"key";r=599;t=60'],
    }),
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    schema: Type.Integer({ minimum: 0, examples: [1] }),
  },
  'Server-Time': {
    description: 'Clock of the server, milliseconds since 1970; a sender corrects its own by it.',
    schema: Type.Integer({ minimum: 0, examples: [1_795_169_732_480] }),
  },
  Allow: {
    description: 'The methods that the address takes.',
    schema: Type.String({ examples: ['GET, HEAD, OPTIONS'] }),
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: Type.String({ examples: ['Bearer'] }),
  },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;
