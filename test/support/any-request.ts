/**
 * Requests of every bad kind, to every operation of a service's own document: drawn from its
 * schemas, then spoiled. They come both ways in, past the framework and through it.
 */
import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

export interface AnyRequest {
  readonly method: string;
  readonly path: string;
  /** An `x-api-key` of `KEY` stands for a key that the service knows. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** What is read of an OpenAPI document. */
export interface DescribedInterface {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly parameters?: readonly DescribedParameter[];
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: unknown;
}

export interface AnyAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const internals = /DB::|Exception|ClickHouse|SQLITE|kysely|node_modules|\/src\/|\.ts:\d| {4}at /;

const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '0x10',
    '٣',
    '9007199254740993',
    '99999999999999999999999999',
    'NaN',
    'null',
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
    '-000001-01-01',
    '+275760-09-13',
    '9999-12-31',
    '2026-1-1',
    "' OR 1=1 --",
    "'; DROP TABLE playback_sum; --",
    '{x:String}',
    '{{7*7}}',
    '../../etc/passwd',
    '%',
    '_',
    '\0',
    'a\0b',
    '\u202e\u0007',
    '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🎬',
    'İıſß',
    '<script>alert(1)</script>',
    'Mars/Olympus',
    'asia/seoul',
    '[]',
    '[object Object]',
    '__proto__',
    'constructor',
    'x'.repeat(3_000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: anyCharacter, maxLength: 80 }),
);

/** As encoded for a URL, or broken where it is encoded. */
const encoded = fc.oneof(
  { weight: 8, arbitrary: hostile.map(encodeLoosely) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff%fe', '%c0%af', '%00', '%ud800', '+') },
);

function encodeLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

interface Choices {
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

function valueFor({ schema }: DescribedParameter): fc.Arbitrary<string> {
  const { enum: allowed = [], examples = [], default: initial = '1' } = schema as Choices;
  const good = [...allowed, ...examples, initial];
  return fc.oneof(
    fc.constantFrom(...good).map((value) => encodeURIComponent(String(value))),
    encoded,
  );
}

const anyHeaders = fc.record(
  {
    'x-api-key': fc.constantFrom('KEY', 'KEY', 'KEY', 'KEY', 'nonsense', 'x'.repeat(300), 'NONE'),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'text/plain; charset=utf-16',
      'application/xml',
      'multipart/form-data',
      'application/json; charset=',
      ';;',
    ),
    accept: fc.constantFrom('*/*', 'text/html', 'nonsense'),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br'),
    authorization: fc.constantFrom('Bearer', 'Bearer x', 'Basic eA=='),
    'user-agent': fc.string({ maxLength: 200 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?')),
    'sec-ch-ua-platform': fc.constantFrom('"Windows"', '"', 'x'.repeat(500)),
    origin: fc.constantFrom('null', 'http://a.example', 'x'),
  },
  { requiredKeys: ['x-api-key'] },
);

const memberValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostile,
  fc.double(),
  fc.maxSafeInteger(),
);
const anyBeacon = fc.record(
  {
    view: memberValue,
    stretch: fc.oneof(fc.nat(5), memberValue),
    at: fc.oneof(fc.constant(new Date().toISOString()), memberValue),
    playMs: fc.oneof(fc.nat(1_000), memberValue),
    videoKey: memberValue,
    accessKey: memberValue,
    packageId: memberValue,
    userAgent: memberValue,
    platform: memberValue,
    platformVersion: memberValue,
  },
  { requiredKeys: [] },
);
const anyBody = fc.oneof(
  fc.array(anyBeacon, { maxLength: 4 }).map((beacons) => JSON.stringify({ beacons })),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ maxLength: 50 }),
  fc.constantFrom(
    '{"beacons":[',
    '['.repeat(20_000),
    '{"beacons":{"length":5}}',
    '{"__proto__":1}',
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

export function anyRequest(document: DescribedInterface): fc.Arbitrary<AnyRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      path,
      method: method.toUpperCase(),
      parameters,
    })),
  );
  return fc.constantFrom(...operations).chain(anyRequestTo);
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
}

function anyRequestTo(operation: Target): fc.Arbitrary<AnyRequest> {
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) =>
      fc
        .tuple(fc.integer({ min: 0, max: 9 }), valueFor(parameter), encoded)
        .map(([chance, value, other]) => {
          if (chance < 2) return [];
          const given = `${parameter.name}=${value}`;
          return chance === 9 ? [given, `${parameter.name}=${other}`] : [given];
        }),
    );
  const path = fc.tuple(
    ...operation.path
      .split('/')
      .map((part) => (part.startsWith('{') ? encoded : fc.constant(part))),
  );
  return fc
    .record({
      path,
      query: fc.tuple(...query),
      headers: anyHeaders,
      body: fc.option(anyBody, { nil: undefined }),
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(operation.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST', 'HEAD'),
        },
      ),
    })
    .map(({ path: parts, query: pairs, body, headers, ...shot }) => ({
      ...shot,
      headers: withoutNone(headers),
      path: `${parts.join('/')}?${pairs.flat().join('&')}`,
      body: shot.method === 'GET' || shot.method === 'HEAD' ? undefined : body,
    }));
}

/** The record's type would have no request without a key. */
function withoutNone(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== 'NONE'));
}

/** What is wrong with an answer to whatever was sent. */
export function complaintAbout({ status, type, text }: AnyAnswer): string | undefined {
  if (status === 0) return 'no answer';
  if (status >= 500) return `answered ${status}`;
  if (status >= 400 && text !== '' && !type.startsWith('application/problem+json'))
    return 'no problem';
  return status >= 400 && internals.test(text) ? 'shows the inside' : undefined;
}
