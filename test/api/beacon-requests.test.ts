/** Each kind of request to the path of beacons, over a bare socket: its whole answer. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm, startTestService, type TestService } from '../support/service.ts';

const path = '/collect/v1/beacons';
const list = '{"beacons":[]}';
const chunks = '7\r\n{"beaco\r\n7\r\nns":[]}\r\n0\r\n\r\n';
const inChunks = 'transfer-encoding: chunked';
const tooLong = 1_048_577;

let service: TestService;
let key: string;
let readingKey: string;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService();
  const account = await service.addAccount();
  key = account.key;
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const made = await service.manage(key, 'POST', '/keys', { scopes: ['stats:read'] });
  readingKey = made.body.key;
});
afterAll(() => service.stop());

interface Answer {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends these bytes; resolves to the first answer, without what depends on the time. */
async function exchange(request: string, { url } = service): Promise<Answer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    let received = '';
    socket.on('data', (piece) => {
      received += piece;
      if (isWhole(received, request)) resolve(received);
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
  socket.write(request, 'latin1');
  const [head = '', body = ''] = (await answer).split('\r\n\r\n', 2);
  socket.destroy();
  const [status = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [name = '', ...value] = line.toLowerCase().startsWith('date') ? [] : line.split(': ');
    if (name !== '') headers[name.toLowerCase()] = value.join(': ');
  }
  for (const name of ['server-time', 'ratelimit', 'retry-after', 'x-request-id']) {
    if (headers[name] !== undefined) headers[name] = 'some';
  }
  return { status: status.replace('HTTP/1.1 ', ''), headers, body };
}

function isWhole(received: string, request: string): boolean {
  const [head = '', body] = received.split('\r\n\r\n', 2);
  if (body === undefined) return false;
  const length = request.startsWith('HEAD') ? 0 : /content-length: (\d+)/i.exec(head)?.[1];
  return Buffer.byteLength(body) === Number(length ?? 0);
}

interface Sent {
  readonly line?: string;
  readonly type?: string | undefined;
  /** Instead of the length. */
  readonly headers?: string;
  readonly body?: string;
}

function requestOf(sent: Sent): string {
  const { line = `POST ${path} HTTP/1.1`, body = list } = sent;
  const { headers = `content-length: ${Buffer.byteLength(body)}` } = sent;
  const type = 'type' in sent ? sent.type : 'text/plain';
  const typeLine = type === undefined ? '' : `content-type: ${type}`;
  const head = [line, 'host: a', typeLine, headers].filter((header) => header !== '');
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** An empty list, with another header. */
const withHeader = (header: string): Sent => ({
  headers: `content-length: ${list.length}\r\n${header}`,
});
const ofType = (type: string | undefined): Sent => ({ type });
const to = (url: string): Sent => ({ line: `POST ${url} HTTP/1.1` });
const without = (line: string, headers = ''): Sent => ({
  ...{ line, type: undefined, headers, body: '' },
});

/** Headers of every answer. */
const secure = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;" +
    "media-src 'self' blob:;connect-src 'self';base-uri 'none';form-action 'none';" +
    "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const open = {
  ...secure,
  vary: 'Origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'as-of, complete-through, country-attribution, ratelimit, ratelimit-policy, retry-after, ' +
    'server-time, viewer-basis, x-request-id',
};
const kept = { connection: 'keep-alive', 'keep-alive': 'timeout=72' };
/** By this answer; the other header is a leftover. */
const ended = { connection: 'close', 'keep-alive': 'timeout=72' };
const closed = { connection: 'close' };
const player = { ...open, ...kept, 'server-time': 'some' };
const lastOfPlayer = { ...open, ...ended, 'server-time': 'some' };

function answerOf(status: string, headers: object, body: string): Answer {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return { status, headers: { ...headers, ...length }, body };
}

function taken(accepted: number, headers: object = player): Answer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const body = JSON.stringify({ accepted, rejected: [] });
  return answerOf('200 OK', { ...headers, ...type }, body);
}

interface Problem {
  readonly status: string;
  readonly title: string;
  readonly code: string;
}

function refused(
  { status, title, code }: Problem,
  detail: string,
  headers: object = player,
  more: object = {},
): Answer {
  const body = JSON.stringify({
    ...{ type: 'about:blank', title, status: Number(status.slice(0, 3)), detail, code },
    ...{ isSuccess: false, message: detail, ...more },
  });
  const type = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  return answerOf(status, { ...headers, ...type }, body);
}

const invalid = {
  status: '400 Bad Request',
  title: 'A parameter is not valid',
  code: 'INVALID_PARAMETER',
};
const otherType = {
  status: '415 Unsupported Media Type',
  title: 'The content type is not supported',
  code: 'UNSUPPORTED_MEDIA_TYPE',
};
const badBody = (detail: string) =>
  refused(invalid, `The body ${detail}`, player, { errors: [{ parameter: 'body', detail }] });
const noSuchType = refused(otherType, 'This operation does not accept that content type');
const tooLarge = refused(
  {
    status: '413 Payload Too Large',
    title: 'The request body is too large',
    code: 'PAYLOAD_TOO_LARGE',
  },
  'The body is too large for this operation',
  lastOfPlayer,
);
const unknownKey = refused(
  { status: '401 Unauthorized', title: 'A valid API key is required', code: 'UNAUTHENTICATED' },
  'The API key is unknown, revoked or expired',
  { ...player, 'www-authenticate': 'Bearer' },
);
const framework = player;
const nothing = { status: '404 Not Found', title: 'Not found', code: 'NOT_FOUND' };
const nothingThere = refused(nothing, 'Nothing exists at this path', framework);
/** Outside of the paths that collect. */
const nothingElsewhere = refused(nothing, 'Nothing exists at this path', { ...open, ...kept });
const otherMethod = refused(
  {
    status: '405 Method Not Allowed',
    title: 'The path does not support this method',
    code: 'METHOD_NOT_ALLOWED',
  },
  'This path takes POST',
  { ...framework, allow: 'POST, OPTIONS' },
);
const marked = { ...secure, 'server-time': 'some' };
const once = (name: string) =>
  refused(invalid, `Send the header ${name} only once`, { ...marked, ...kept });

const table: Readonly<Record<string, readonly [Sent, Answer]>> = {
  'no beacons': [{}, taken(0)],
  'an origin': [withHeader('origin: https://a.example'), taken(0)],
  'no body': [{ body: '' }, badBody('is empty')],
  'no length': [{ headers: '', body: '' }, badBody('is empty')],
  'no JSON': [{ body: '{' }, badBody('is not valid JSON')],
  'no list': [
    { body: '{"beacons":1}' },
    refused(invalid, 'beacons must be a list', player, {
      errors: [{ parameter: 'beacons', detail: 'must be a list' }],
    }),
  ],

  JSON: [ofType('application/json'), taken(0)],
  'JSON and a charset': [ofType('application/json; charset=utf-8'), taken(0)],
  'JSON and a charset in capitals': [ofType('application/json;charset=UTF-8'), taken(0)],
  'JSON in capitals': [ofType('Application/JSON'), taken(0)],
  'JSON and a semicolon': [ofType('application/json;'), taken(0)],
  'JSON and half a parameter': [ofType('application/json ; x'), taken(0)],
  'JSON and two parameters': [ofType('application/json; a=b; c="d;e"'), taken(0)],
  'text and a charset': [ofType('text/plain;charset=UTF-8'), taken(0)],
  'text and another charset': [ofType('text/plain; charset=utf-16'), taken(0)],
  'text and a charset in quotes': [ofType('text/plain; charset="us-ascii"'), taken(0)],
  HTML: [ofType('text/html'), noSuchType],
  'a type twice in a header': [ofType('text/plain, text/plain'), noSuchType],
  'a space before the slash': [ofType('text /plain'), noSuchType],
  'a space after the slash': [ofType('text/ plain'), noSuchType],
  'a tab and more': [ofType('text/plain\tx'), noSuchType],
  'a longer type': [ofType('application/jsonp'), noSuchType],
  'the type of another path': [ofType('application/cmcd'), noSuchType],
  'a word for a type': [ofType('json'), noSuchType],
  'a semicolon for a type': [ofType(';'), noSuchType],
  'an empty type': [ofType(''), noSuchType],
  'no type': [ofType(undefined), noSuchType],
  'no type and an empty body': [{ type: undefined, body: '' }, badBody('is empty')],
  'no type and no length': [without(`POST ${path} HTTP/1.1`), badBody('is empty')],
  'no type, in chunks': [{ type: undefined, headers: inChunks, body: chunks }, noSuchType],

  'in chunks': [{ headers: inChunks, body: chunks }, taken(0)],
  'in Chunks': [{ headers: 'transfer-encoding: Chunked', body: chunks }, taken(0)],
  'no content in chunks': [{ headers: inChunks, body: '0\r\n\r\n' }, badBody('is empty')],
  'another coding': [
    { headers: 'transfer-encoding: gzip, chunked', body: chunks },
    refused(invalid, 'The only Transfer-Encoding that is taken is chunked', {
      ...marked,
      ...ended,
    }),
  ],
  'chunks in HTTP/1.0': [
    { line: `POST ${path} HTTP/1.0`, headers: inChunks, body: chunks },
    refused(invalid, 'HTTP/1.0 has no Transfer-Encoding', { ...marked, ...closed }),
  ],
  compressed: [
    withHeader('content-encoding: gzip'),
    refused(otherType, 'Send the body without a Content-Encoding', { ...marked, ...ended }),
  ],
  'not compressed': [withHeader('content-encoding: Identity'), taken(0)],
  'too long': [{ headers: `content-length: ${tooLong}`, body: ' ' }, tooLarge],
  'too long in chunks': [
    { headers: inChunks, body: `${tooLong.toString(16)}\r\n${' '.repeat(tooLong)}\r\n0\r\n\r\n` },
    tooLarge,
  ],
  'too long and HTML': [
    { type: 'text/html', headers: `content-length: ${tooLong}`, body: ' ' },
    noSuchType,
  ],

  'HTTP/1.0': [
    { line: `POST ${path} HTTP/1.0` },
    taken(0, { ...open, ...closed, 'server-time': 'some' }),
  ],
  'HTTP/1.0, kept': [
    { ...withHeader('connection: keep-alive'), line: `POST ${path} HTTP/1.0` },
    taken(0),
  ],
  'HTTP/1.2': [
    { line: `POST ${path} HTTP/1.2` },
    refused(
      {
        status: '505 The version of HTTP is not supported',
        title: 'The version of HTTP is not supported',
        code: 'VERSION_NOT_SUPPORTED',
      },
      'Send HTTP/1.1',
      { ...secure, ...closed },
    ),
  ],
  'to be closed': [
    withHeader('connection: close'),
    taken(0, { ...open, ...closed, 'server-time': 'some' }),
  ],
  'to be upgraded': [withHeader('connection: upgrade\r\nupgrade: h2c'), taken(0)],

  'two hosts': [withHeader('host: b'), once('host')],
  'two origins': [withHeader('origin: a\r\norigin: a'), once('origin')],
  'two keys': [withHeader('x-api-key: a\r\nx-api-key: a'), once('x-api-key')],
  'another header twice': [withHeader('x-a: a\r\nx-a: a'), taken(0)],

  'an empty key': [withHeader('x-api-key:'), taken(0)],
  'a bearer of nothing': [withHeader('authorization: Bearer '), taken(0)],
  'other credentials': [withHeader('authorization: Basic eDp5'), taken(0)],
  'the cookie of a page': [
    withHeader('cookie: playmeter=a\r\nx-requested-with: playmeter'),
    taken(0),
  ],
  'a key': [withHeader('x-api-key: KEY'), taken(0)],
  'a bearer': [withHeader('authorization: bearer KEY'), taken(0)],
  'a key, in chunks': [{ headers: `x-api-key: KEY\r\n${inChunks}`, body: chunks }, taken(0)],
  'a key and HTML': [{ ...withHeader('x-api-key: KEY'), type: 'text/html' }, noSuchType],
  'a key and no JSON': [
    { headers: 'x-api-key: KEY\r\ncontent-length: 1', body: '{' },
    badBody('is not valid JSON'),
  ],
  'a key and too long': [
    { headers: `x-api-key: KEY\r\ncontent-length: ${tooLong}`, body: ' ' },
    tooLarge,
  ],
  'a key that only reads': [
    withHeader('x-api-key: READING'),
    refused(
      {
        status: '403 Forbidden',
        title: 'The API key does not allow this operation',
        code: 'FORBIDDEN',
      },
      'The API key lacks the scope collect:write',
    ),
  ],
  'an unknown key': [withHeader('x-api-key: none'), unknownKey],
  'an unknown bearer': [withHeader('authorization: Bearer none'), unknownKey],
  'an unknown key and HTML': [{ ...withHeader('x-api-key: none'), type: 'text/html' }, unknownKey],
  'an unknown key and no JSON': [
    { headers: 'x-api-key: none\r\ncontent-length: 1', body: '{' },
    unknownKey,
  ],

  'a question mark': [to(`${path}?`), taken(0)],
  'a query': [to(`${path}?a=b`), taken(0)],
  'a query that is none': [to(`${path}?%zz`), taken(0)],
  'a fragment': [to(`${path}#a`), taken(0)],
  'an escape': [to('/collect/v1/%62eacons'), taken(0)],
  'an escaped slash': [to('/collect%2Fv1/beacons'), nothingElsewhere],
  'an escape that is none': [
    to('/collect/v1/be%zzacons'),
    refused(invalid, 'The URL is invalid', { ...secure, ...kept }),
  ],
  'a host in the URL': [to(`http://a${path}`), taken(0)],
  'a host and a port in the URL': [to(`HTTP://b:1${path}?a`), taken(0)],
  'another protocol in the URL': [to(`ftp://a${path}`), nothingElsewhere],
  'a slash more at the end': [to(`${path}/`), nothingThere],
  'a slash more at the start': [to(`/${path}`), nothingElsewhere],
  'a dot in the path': [to('/collect/./v1/beacons'), nothingThere],
  'a capital in the path': [to('/Collect/v1/beacons'), nothingElsewhere],
  'a semicolon after the path': [to(`${path};a`), nothingThere],

  GET: [without(`GET ${path} HTTP/1.1`), otherMethod],
  HEAD: [without(`HEAD ${path} HTTP/1.1`), { ...otherMethod, body: '' }],
  PUT: [{ line: `PUT ${path} HTTP/1.1` }, otherMethod],
  PATCH: [without(`PATCH ${path} HTTP/1.1`), otherMethod],
  DELETE: [without(`DELETE ${path} HTTP/1.1`), otherMethod],
  TRACE: [without(`TRACE ${path} HTTP/1.1`), otherMethod],
  OPTIONS: [
    without(`OPTIONS ${path} HTTP/1.1`),
    { status: '204 No Content', headers: { ...marked, ...kept, allow: 'POST, OPTIONS' }, body: '' },
  ],
  'a preflight': [
    without(
      `OPTIONS ${path} HTTP/1.1`,
      'origin: https://a.example\r\naccess-control-request-method: POST',
    ),
    answerOf(
      '204 No Content',
      {
        ...framework,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'x-api-key, authorization, content-type, idempotency-key',
        'access-control-max-age': '86400',
      },
      '',
    ),
  ],
};

test.each(Object.entries(table))('%s', async (_, [sent, expected]) => {
  const request = requestOf(sent).replace('KEY', key).replace('READING', readingKey);
  expect(await exchange(request)).toEqual(expected);
});

const beacon = () => ({ view: 'v', stretch: 0, at: new Date().toISOString(), playMs: 0, videoKey });

test('a beacon', async () => {
  const body = JSON.stringify({ beacons: [beacon()] });
  expect(await exchange(requestOf({ body }))).toEqual(taken(1));
});

test.each([
  ['one that is refused', () => [beacon(), { ...beacon(), playMs: -1 }], 'INVALID_BEACON'],
  ['a video that is unknown', () => [{ ...beacon(), videoKey: 'none' }], 'UNKNOWN_VIDEO'],
  ['what only a key may say', () => [{ ...beacon(), userAgent: 'x' }], 'KEY_REQUIRED'],
])('%s', async (_, beacons, code) => {
  const body = JSON.stringify({ beacons: beacons() });
  const answer = await exchange(requestOf({ body }));
  expect(JSON.parse(answer.body)).toMatchObject({ rejected: [{ code }] });
  expect(answer).toEqual(answerOf('200 OK', taken(0).headers, answer.body));
});

test.each(['x-api-key: ', 'authorization: Bearer '])('a key is honoured: %s', async (header) => {
  const account = await service.addAccount();
  const { packageId, accessKey } = await addFilm(account);
  const { videoKey: _, ...unnamed } = beacon();
  const body = JSON.stringify({ beacons: [{ ...unnamed, accessKey, packageId }] });
  const length = `content-length: ${body.length}`;
  const withKey = requestOf({ body, headers: `${length}\r\n${header}${account.key}` });
  expect(JSON.parse((await exchange(requestOf({ body }))).body)).toMatchObject({
    rejected: [{ code: 'KEY_REQUIRED' }],
  });
  expect(await exchange(withKey)).toEqual(taken(1));
});
