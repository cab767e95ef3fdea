/** Traces of the real service, as a receiver of OpenTelemetry gets them. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: ServiceProcess | undefined;
let receiver: TraceReceiver | undefined;
afterEach(async () => {
  await service?.remove();
  await receiver?.close();
  [service, receiver] = [undefined, undefined];
});

const userAgent = 'Very-Private-Agent/1.0';
const day = new Date().toISOString().slice(0, 10);

async function start(environment: Readonly<Record<string, string>>, { hangs = false } = {}) {
  receiver = await startTraceReceiver({ hangs });
  service = await startServiceProcess({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...environment,
  });
  return { receiver, service };
}

/** What a caller that traces sends with a question. */
function callerOf() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

function ask({ url, key }: ServiceProcess, headers: Readonly<Record<string, string>> = {}) {
  const query = `sdate=${day}&edate=${day}&measures=plays,viewers&dimensions=browser`;
  const target = `${url}/report/statistics/video/v2/query?${query}&filter.country=KR`;
  return fetch(target, {
    headers: { 'x-api-key': key, 'user-agent': userAgent, ...headers },
  });
}

async function play({ url, pageUrl }: ServiceProcess): Promise<void> {
  const videoKey = /\/watch\/([^#]+)/.exec(pageUrl)?.[1];
  const at = new Date().toISOString();
  const beacon = { view: 'a-secret-view', stretch: 0, playMs: 1_000, videoKey, at };
  const body = JSON.stringify({ beacons: [beacon] });
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
  const sent = await fetch(`${url}/collect/v1/beacons`, { method: 'POST', headers, body });
  expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
}

async function traceIn({ spans }: TraceReceiver, traceId: string): Promise<ReceivedSpan[]> {
  const of = () => spans.filter((span) => span.traceId === traceId);
  // The first span of a trace ends last.
  await waitUntil('the trace', () => of().some(({ name }) => name.startsWith('GET ')));
  return of();
}

test('a question is one trace, below that of its caller, with its statements below it', async () => {
  const { receiver, service } = await start({
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=clips',
  });
  await play(service);
  const caller = callerOf();
  expect((await ask(service, { traceparent: caller.traceparent })).status).toBe(200);

  const trace = await traceIn(receiver, caller.traceId);
  const [request] = trace.filter(({ parentId }) => parentId === caller.spanId);
  expect(request).toMatchObject({
    name: 'GET /report/statistics/video/v2/query',
    isFailed: false,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/report/statistics/video/v2/query',
      'http.response.status_code': 200,
    },
  });
  const below = (parent: ReceivedSpan | undefined) =>
    trace.filter(({ parentId }) => parentId === parent?.spanId);
  const [question] = below(request).filter(({ name }) => name === 'question');
  expect(question?.attributes).toEqual({ 'playmeter.account': 1 });
  const statements = below(question);
  const systems = new Set(statements.map(({ attributes }) => attributes['db.system.name']));
  expect(systems).toContain('clickhouse');
  // Each lies within the one above it.
  const known = new Map(trace.map((span) => [span.spanId, span]));
  for (const span of trace.filter((one) => one !== request)) {
    const parent = known.get(span.parentId);
    expect(parent, span.name).toBeDefined();
    expect(span.endNs >= span.startNs, span.name).toBe(true);
  }
  expect(receiver.resources[0]).toMatchObject({
    'service.name': 'playmeter',
    'deployment.environment.name': 'test',
  });
  expect(receiver.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-tenant': 'clips', 'content-type': 'application/x-protobuf' },
  });

  // Of jobs, those that did something; of beacons, none.
  const names = () => receiver.spans.map(({ name }) => name);
  await waitUntil('the roll-up', () => names().includes('roll up'));
  expect(names().filter((name) => /collect|beacon/.test(name))).toEqual([]);
  expectNothingPrivate(receiver, service);
});

test('a question that fails says so, and the log names its trace', async () => {
  const { receiver, service } = await start({});
  // Attempts to start the engine again fail meanwhile: it is there, and does not answer.
  process.kill(service.engineProcesses().at(-1) ?? 0, 'SIGKILL');
  const failed: string[] = [];
  await waitUntil('a question to fail', async () => {
    const caller = callerOf();
    const { status } = await ask(service, { traceparent: caller.traceparent });
    if (status === 503) failed.push(caller.traceId);
    return failed.length > 0;
  });
  const [traceId = ''] = failed;
  const trace = await traceIn(receiver, traceId);
  const request = trace.find(({ name }) => name.startsWith('GET '));
  expect(request).toMatchObject({
    isFailed: true,
    attributes: { 'http.response.status_code': 503, 'error.type': '503' },
  });
  expect(trace.find(({ name }) => name === 'question')).toMatchObject({
    isFailed: true,
    attributes: { 'error.type': 'UNAVAILABLE' },
  });
  const line = service.log().find((one) => one.includes(traceId));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    traceId,
    requestId: request?.attributes['playmeter.request_id'],
    msg: 'not available',
  });
  expectNothingPrivate(receiver, service);
});

test('the standard variables choose what is traced; what is left is sent at the end', async () => {
  const { receiver, service } = await start({
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_SERVICE_NAME: 'clips',
    OTEL_BSP_SCHEDULE_DELAY: '3600000',
  });
  await ask(service);
  const caller = callerOf();
  await ask(service, { traceparent: caller.traceparent });
  expect(receiver.spans).toEqual([]);
  expect(await service.kill('SIGTERM')).toBe(0);
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'clips' });
});

test('a receiver that hangs keeps nothing waiting, nor the service from stopping', async () => {
  // Ten minutes, so that only the service can end it.
  const { receiver, service } = await start(
    { OTEL_EXPORTER_OTLP_TIMEOUT: '600000' },
    { hangs: true },
  );
  await play(service);
  expect((await ask(service)).status).toBe(200);
  await waitUntil('traces to be sent', () => receiver.requests.length > 0);
  expect((await ask(service)).status).toBe(200);
  expect(await service.kill('SIGTERM')).toBe(0);
  expect(service.log().at(-1)).toContain('the last traces are not sent');
});

test('nor does one that is away, of which the log says why', async () => {
  const { receiver, service } = await start({ OTEL_EXPORTER_OTLP_TIMEOUT: '100' });
  await receiver.close();
  await play(service);
  expect((await ask(service)).status).toBe(200);
  await waitUntil('the log to say so', () =>
    service.log().some((line) => /ECONNREFUSED.*traces may be lost/.test(line)),
  );
  expect((await ask(service)).status).toBe(200);
  expect(await service.kill('SIGTERM')).toBe(0);
});

const named = new Set([
  ...['http.request.method', 'http.route', 'http.response.status_code', 'error.type'],
  ...['playmeter.request_id', 'playmeter.account', 'db.system.name'],
]);

/** Only what names a thing or counts it, and no value of a parameter. */
function expectNothingPrivate({ spans }: TraceReceiver, { key, pageUrl }: ServiceProcess) {
  const names = spans.flatMap(({ attributes }) => Object.keys(attributes));
  expect(names.filter((name) => !named.has(name))).toEqual([]);
  expect(spans.filter(({ message, events }) => message !== '' || events > 0)).toEqual([]);
  const sent = spans
    .map(({ name, attributes }) => `${name}\n${Object.values(attributes).join('\n')}`)
    .join('\n');
  const videoKey = /\/watch\/([^#]+)/.exec(pageUrl)?.[1] ?? 'none';
  for (const secret of [key, videoKey, 'a-secret-view', userAgent, '127.0.0.1', day, 'KR', '{']) {
    expect(sent).not.toContain(secret);
  }
}

/**
 * A real HTTP server that traces are sent to. Decodes OTLP's protobuf, whose fields are those of
 * opentelemetry/proto/trace/v1/trace.proto.
 */
type Attributes = Readonly<Record<string, string | number>>;

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the first of its trace. */
  readonly parentId: string;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
  /** Of a failure; never sent. */
  readonly message: string;
  /** What happened within it, such as an exception with its stack; never sent. */
  readonly events: number;
}

interface TraceReceiver extends LocalServer {
  readonly spans: ReceivedSpan[];
  readonly resources: Attributes[];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

async function startTraceReceiver({ hangs = false } = {}): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Attributes[] = [];
  const requests: TraceReceiver['requests'] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url ?? '', headers: request.headers });
    if (hangs) return;
    for (const resourceSpans of messages(readMessage(Buffer.concat(chunks)), 1)) {
      for (const resource of messages(resourceSpans, 1)) resources.push(attributesOf(resource, 1));
      const ofScopes = messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2));
      spans.push(...ofScopes.map(spanOf));
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  return { ...server, spans, resources, requests };
}

type Field = Buffer | bigint;
/** By field number. */
type Message = ReadonlyMap<number, readonly Field[]>;

function spanOf(span: Message): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentId: bytesIn(span, 4).toString('hex'),
    name: bytesIn(span, 5).toString(),
    startNs: numberIn(span, 7),
    endNs: numberIn(span, 8),
    attributes: attributesOf(span, 9),
    isFailed: status !== undefined && numberIn(status, 3) === 2n,
    message: status === undefined ? '' : bytesIn(status, 2).toString(),
    events: messages(span, 11).length,
  };
}

function attributesOf(message: Message, field: number): Attributes {
  const pairs = messages(message, field).map((pair) => {
    const [value = new Map() as Message] = messages(pair, 2);
    const text = value.get(1);
    return [
      bytesIn(pair, 1).toString(),
      text ? bytesIn(value, 1).toString() : Number(numberIn(value, 3)),
    ];
  });
  return Object.fromEntries(pairs) as Attributes;
}

function messages(message: Message, field: number): Message[] {
  const found = message.get(field) ?? [];
  return found.filter((one): one is Buffer => typeof one !== 'bigint').map(readMessage);
}

function bytesIn(message: Message, field: number): Buffer {
  const [value] = message.get(field) ?? [];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function numberIn(message: Message, field: number): bigint {
  const [value] = message.get(field) ?? [];
  return typeof value === 'bigint' ? value : 0n;
}

/** https://protobuf.dev/programming-guides/encoding */
function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    if (at > bytes.length) throw new Error('The message ends too early');
    return bytes.subarray(at - length, at);
  };
  const readers: Readonly<Record<number, () => Field>> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read = readers[tag & 7];
    if (!read) throw new Error(`No such kind of field: ${tag & 7}`);
    const number = tag >> 3;
    fields.set(number, [...(fields.get(number) ?? []), read()]);
  }
  return fields;
}
