/**
 * Whatever the body of a request with beacons is, it is read alike when it comes at once and when it
 * comes in chunks: hundreds of bodies are sent both ways, and the answers compared.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { Beacon, BeaconsAnswer, RefusalReason } from '../../src/wire/beacons/beacon.ts';
import { startTestService, type TestService } from '../support/service.ts';

const path = '/collect/v1/beacons';
// It stands still, because details of refusals name the time; timers run on.
const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 20, 12) };

let service: TestService;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService({ clock });
  const account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});
afterAll(() => service.stop());

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

async function ask(type: string, body: NonNullable<RequestInit['body']>): Promise<Answered> {
  const headers = { 'content-type': type };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const response = await service.request(path, init);
  const { date: _, 'server-time': serverTime, ...same } = Object.fromEntries(response.headers);
  expect(Number(serverTime)).toBeGreaterThan(0);
  return { status: response.status, headers: same, body: await response.json() };
}

async function bothWays(body: Uint8Array, type = 'text/plain'): Promise<Answered> {
  const inChunks = new Blob([new Uint8Array(body)]).stream();
  const [whole, chunked] = await Promise.all([
    ask(type, new Uint8Array(body)),
    ask(type, inChunks),
  ]);
  expect(chunked).toEqual(whole);
  return whole;
}

const beacon = (members = '') =>
  `{"view":"v","stretch":1,"at":"${new Date(clock.now()).toISOString()}","playMs":0,` +
  `"videoKey":"${videoKey}"${members}}`;
const bodyOf = (...beacons: readonly string[]) => `{"beacons":[${beacons.join()}]}`;

const accepted = { status: 200, body: { accepted: 1, rejected: [] } };
const fault = (detail: string) => ({ status: 400, body: { code: 'INVALID_PARAMETER', detail } });
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['a byte order mark', () => `\ufeff${bodyOf(beacon())}`, accepted],
  [
    'names of prototypes',
    () => bodyOf(beacon(',"__proto__":{"view":1},"constructor":{}')),
    accepted,
  ],
  ['a name twice: the last holds', () => bodyOf(beacon(',"playMs":-1,"playMs":0')), accepted],
  ['the list twice', () => `{"beacons":1,"beacons":[${beacon()}]}`, accepted],
  ['members nobody knows', () => bodyOf(beacon(',"speed":2,"nested":{"a":[1]}')), accepted],
  ['a number written with a fraction', () => bodyOf(beacon(',"playMs":0.0')), accepted],
  ['one written with an exponent', () => bodyOf(beacon(',"stretch":1e2')), accepted],
  ['deep nesting in a member', () => bodyOf(beacon(`,"x":${deep(100_000)}`)), accepted],
  ['nothing', () => '', fault('The body is empty')],
  ['a byte order mark alone', () => '\ufeff', fault('The body is empty')],
  ['white space', () => ' \n', fault('The body is not valid JSON')],
  ['two values', () => `${bodyOf()}${bodyOf()}`, fault('The body is not valid JSON')],
  ['brackets only', () => '['.repeat(1_000_000), fault('The body is not valid JSON')],
  ['a deep list', () => deep(500_000), fault('The body must be an object with the member beacons')],
  [
    'the list in a prototype',
    () => '{"__proto__":{"beacons":[]}}',
    fault('The body must be an object with the member beacons'),
  ],
  ['no list', () => '{"beacons":{"length":1}}', fault('beacons must be a list')],
])('%s', async (_, body, expected) => {
  expect(await bothWays(Buffer.from(body()))).toMatchObject(expected);
});

test.each([
  ['playMs', '1e400'],
  ['playMs', '-1e400'],
  ['stretch', '1e400'],
  ['stretch', '0.5'],
  ['stretch', '9007199254740993'],
  ['view', deep(20)],
])('%s: %s is refused by itself', async (member, value) => {
  const answer = await bothWays(Buffer.from(bodyOf(beacon(`,"${member}":${value}`), beacon())));
  expect(answer.body).toMatchObject({
    accepted: 1,
    rejected: [{ index: 0, code: 'INVALID_BEACON', detail: expect.stringMatching(`^${member}: `) }],
  });
});

type Outcome = 'COUNTED' | RefusalReason;

/** JSON of values of each member without a key, on both sides of their borders. */
const valuesOf: Readonly<
  Record<keyof Beacon, { readonly [outcome in Outcome]?: readonly string[] }>
> = {
  view: { COUNTED: ['"a view"', text(64)], INVALID_BEACON: ['""', text(65)] },
  stretch: { COUNTED: ['0', '1000000'], INVALID_BEACON: ['-1', '1000001'] },
  at: { COUNTED: ['"2026-11-20T13:00:00+01:00"'], TOO_OLD: ['"2026-11-18T11:59:59.999Z"'] },
  playMs: { COUNTED: ['300000'], IN_FUTURE: ['86400000'], INVALID_BEACON: ['86400001'] },
  videoKey: { UNKNOWN_VIDEO: ['"nobody\'s"', text(64)], INVALID_BEACON: ['""', text(65)] },
  accessKey: { KEY_REQUIRED: ['"a"', text(64)], INVALID_BEACON: ['""', text(65)] },
  packageId: { KEY_REQUIRED: ['1', '9007199254740991'], INVALID_BEACON: ['0', '9007199254740992'] },
  userAgent: { KEY_REQUIRED: ['"a"', text(1_024)], INVALID_BEACON: [text(1_025)] },
  platform: { COUNTED: ['"Windows"', text(64)], INVALID_BEACON: [text(65)] },
  platformVersion: { COUNTED: ['"15.0.0"', text(64)], INVALID_BEACON: [text(65)] },
  token: { COUNTED: ['"e30.e30.AA"', text(1_024)], INVALID_BEACON: [text(1_025)] },
  position: {
    COUNTED: ['0', '61000', '9007199254740991'],
    INVALID_BEACON: ['-1', '0.5', '9007199254740992'],
  },
  mediaMs: { COUNTED: ['0', '1382400000'], INVALID_BEACON: ['-1', '0.5', '1382400001'] },
  // Of a wait, beside a stretch.
  wait: { INVALID_BEACON: ['0', '500'] },
  waitMs: { INVALID_BEACON: ['0', '3600001'] },
  cause: { INVALID_BEACON: ['"start"', '"late"'] },
  outcome: { INVALID_BEACON: ['"played"', '"ended"'] },
  error: { INVALID_BEACON: ['"3016"', '""', text(65)] },
  mediaHost: { COUNTED: ['"cdn1.example"', '"no host/"', text(255)], INVALID_BEACON: [text(256)] },
  mediaBits: {
    COUNTED: ['0', '34560000000000'],
    INVALID_BEACON: ['-1', '0.5', '34560000000001'],
  },
  frames: { COUNTED: ['0', '4294967295'], INVALID_BEACON: ['-1', '4294967296'] },
  droppedFrames: { COUNTED: ['0'], INVALID_BEACON: ['1', '-1'] },
  streamType: { COUNTED: ['"vod"', '"live"'], INVALID_BEACON: ['"dvr"'] },
  connection: { COUNTED: ['"slow-2g"', '"4g"'], INVALID_BEACON: ['"5g"', '""'] },
  viewer: { COUNTED: ['"student-4711"', text(64)], INVALID_BEACON: ['""', text(65)] },
  page: {
    COUNTED: ['"https://www.example.com/lessons/3?a=b#c"', '"javascript:1"', text(10_000)],
    INVALID_BEACON: ['1'],
  },
  referrer: {
    COUNTED: ['"https://www.example.org/"', '"no address"', text(10_000)],
    INVALID_BEACON: ['1'],
  },
  player: { COUNTED: ['"hls.js/1.7.2"', '"none"', text(64)], INVALID_BEACON: [text(65)] },
  labels: {
    COUNTED: ['{}', '{"course":"algebra"}', '{"__proto__":"a"}', labels(100)],
    INVALID_BEACON: ['{"course":1}', '["a"]', labels(101)],
  },
  address: {
    KEY_REQUIRED: ['"203.0.113.9"', '"2001:db8::1"'],
    INVALID_BEACON: ['"no address"', text(64), text(65)],
  },
};

function text(length: number): string {
  return `"${'x'.repeat(length)}"`;
}

function labels(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"label${index}":"a"`).join()}}`;
}

const eachValue = Object.entries(valuesOf).flatMap(([member, byOutcome]) =>
  Object.entries(byOutcome).flatMap(([outcome, values]) =>
    values.map((value) => ({ member, value, outcome })),
  ),
);

test('values of each member, at their borders', async () => {
  const all = eachValue.map(({ member, value }) => beacon(`,"${member}":${value}`));
  const { body } = await bothWays(Buffer.from(bodyOf(...all)));
  const { rejected } = body as BeaconsAnswer;
  const refused = new Map(rejected.map(({ index, code }) => [index, code]));
  const answered = eachValue.map((one, index) => ({
    ...one,
    outcome: refused.get(index) ?? 'COUNTED',
  }));
  expect(answered).toEqual(eachValue);
});

test.each([
  ['as many bytes as are taken', 1_048_576, 200],
  ['one more', 1_048_577, 413],
])('%s', async (_, bytes, status) => {
  const body = bodyOf(beacon());
  expect((await bothWays(Buffer.from(body.padEnd(bytes)))).status).toBe(status);
});

test.each([
  ['as many beacons as are taken', 1_000, 200],
  ['one more', 1_001, 400],
])('%s', async (_, beacons, status) => {
  const body = bodyOf(...Array.from({ length: beacons }, () => '0'));
  expect((await bothWays(Buffer.from(body))).status).toBe(status);
});

test('bytes that are no UTF-8', async () => {
  const body = Buffer.from(bodyOf(beacon(',"x":"é"')), 'latin1');
  expect(await bothWays(body)).toMatchObject(fault('The body is not valid UTF-8'));
});

/** Bodies near enough to good ones to get past the first check, and some far off. */
function bodies(): fc.Arbitrary<Uint8Array> {
  const odd = fc.constantFrom(
    ...['null', 'true', '-0', '1e400', '-1', '1.5', '86400001', '86400000', '"\\ud83d"', '""'],
    ...['"x"', '[]', '{}', '[[]]', '"\\u0000"', '"2026-11-20T12:05:00.001Z"', '01', "'a'"],
    ...['"2026-11-18T11:59:59.999Z"', '"2026-02-30T12:00:00Z"', '9007199254740993', '""""'],
  );
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
  const name = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(valuesOf)) },
    fc.constantFrom('__proto__', 'constructor'),
    fc.string({ maxLength: 5 }),
  );
  const anything = fc.tuple(name, fc.oneof(odd, json)).map(([key, value]) => {
    return `,${JSON.stringify(key)}:${value}`;
  });
  const likely = fc.constantFrom(...eachValue).map(({ member, value }) => `,"${member}":${value}`);
  const member = fc.oneof(likely, anything);
  const one = fc.oneof(
    { weight: 3, arbitrary: fc.array(member, { maxLength: 3 }).map((all) => beacon(all.join(''))) },
    { weight: 1, arbitrary: fc.oneof(odd, json) },
  );
  const whole = fc.oneof(
    { weight: 6, arbitrary: fc.array(one, { maxLength: 4 }).map((all) => bodyOf(...all)) },
    { weight: 1, arbitrary: fc.oneof(odd, json, fc.string()) },
    { weight: 1, arbitrary: one.map((value) => `{"__proto__":1,"beacons":[],"beacons":${value}}`) },
  );
  return fc.tuple(whole, edits()).map(([text, edit]) => edit(Buffer.from(text)));
}

/** What may befall the bytes of a body on the way. */
function edits(): fc.Arbitrary<(bytes: Buffer) => Buffer> {
  const place = (bytes: Buffer, at: number) => Math.floor(at * bytes.length);
  const at = fc.double({ min: 0, max: 1, noNaN: true });
  const put = (bytes: Buffer, where: number, more: Uint8Array) =>
    Buffer.concat([bytes.subarray(0, where), more, bytes.subarray(where)]);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant((bytes: Buffer) => bytes) },
    fc.constant((bytes: Buffer) => put(bytes, 0, Buffer.from('\ufeff'))),
    fc.constant((bytes: Buffer) => Buffer.from(bytes.toString('utf8'), 'utf16le')),
    at.map((cut) => (bytes: Buffer) => bytes.subarray(0, place(bytes, cut))),
    fc.tuple(at, fc.uint8Array({ minLength: 1, maxLength: 3 })).map(
      ([where, more]) =>
        (bytes: Buffer) =>
          put(bytes, place(bytes, where), more),
    ),
  );
}

test('any body is answered alike both ways', async () => {
  const types = fc.constantFrom('text/plain', 'application/json');
  const several = fc.array(fc.tuple(bodies(), types), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(several, async (all) => {
      await Promise.all(all.map(([body, type]) => bothWays(body, type)));
    }),
    { numRuns: 10 },
  );
});
