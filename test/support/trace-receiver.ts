/**
 * A real HTTP server that traces are sent to. Decodes OTLP's protobuf, whose fields are those of
 * opentelemetry/proto/trace/v1/trace.proto.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type LocalServer, startLocalServer } from './local-server.ts';

export type Attributes = Readonly<Record<string, string | number>>;

export interface ReceivedSpan {
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

export interface TraceReceiver extends LocalServer {
  readonly spans: ReceivedSpan[];
  readonly resources: Attributes[];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

export async function startTraceReceiver({ hangs = false } = {}): Promise<TraceReceiver> {
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
