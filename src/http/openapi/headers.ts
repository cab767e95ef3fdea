import Type, { type TSchema } from 'typebox';

interface Header {
  /** Whether every such answer has it; absent: yes. */
  readonly required?: false;
  readonly description: string;
  readonly schema: TSchema;
}

const instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:15:32.480Z'] });

/** Headers that answers carry beside those of HTTP itself. */
export const headers = {
  'As-Of': { description: 'Time of the snapshot that all pages show.', schema: instant },
  'Complete-Through': {
    description: 'Everything acknowledged before this time is in the answer.',
    schema: instant,
  },
  'Viewer-Basis': {
    required: false,
    description:
      'Beside CSV with a measure of viewers: what it rests on, numbers of views, as ' +
      '`viewerBasis` in the JSON.',
    schema: Type.String({
      pattern: '^named=\\d+, daily=\\d+, none=\\d+$',
      examples: ['named=1, daily=2, none=3'],
    }),
  },
  'Quality-Basis': {
    required: false,
    description: 'Beside CSV with a measure of quality: what it rests on, as `qualityBasis`.',
    schema: Type.String({
      pattern: '^attempts=\\d+, views=\\d+$',
      examples: ['attempts=190, views=204'],
    }),
  },
  'Country-Attribution': {
    required: false,
    description:
      'Beside CSV by `country`: who made the database that the countries come from, to be shown ' +
      'wherever they are. Absent if that is the operator.',
    schema: Type.String({ examples: ['IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0'] }),
  },
  'RateLimit-Policy': {
    description: 'Limit: q requests in w seconds, for each key, share or IP address.',
    schema: Type.String({
      pattern: '^"(key|person|share|address)";q=\\d+;w=\\d+$',
      examples: ['"key";q=600;w=60'],
    }),
  },
  RateLimit: {
    description: 'What is left of the limit: r requests; it is reset in t seconds.',
    schema: Type.String({
      pattern: '^"(key|person|share|address)";r=\\d+;t=\\d+$',
      examples: ['"key";r=599;t=60'],
    }),
  },
  'Retry-After': {
    description: 'Seconds to wait before sending the request again.',
    schema: Type.Integer({ minimum: 0, examples: [1] }),
  },
  'Server-Time': {
    description:
      'Clock of the server, in milliseconds since 1970, for senders to correct their own. Every ' +
      'answer under `/collect/` has it, errors too: one without it comes from a proxy in between, ' +
      'and refuses nothing.',
    schema: Type.Integer({ minimum: 0, examples: [1_795_169_732_480] }),
  },
  'Set-Cookie': {
    description: 'The cookie of the session, for HTTP alone and for this site alone.',
    schema: Type.String({ examples: ['playmeter=...; Path=/; HttpOnly; SameSite=Strict'] }),
  },
  Allow: {
    description: 'Methods that the path supports.',
    schema: Type.String({ examples: ['GET, HEAD, OPTIONS'] }),
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: Type.String({ examples: ['Bearer'] }),
  },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;
