import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type FactStore, openFactStore } from './fact-store.ts';

let cutAfterBytes = Number.POSITIVE_INFINITY;
let asked = '';
let store: FactStore;
/** Between the service and the engine; ends the connection in the middle of an answer. */
const line = createServer((client) => {
  const { hostname, port } = new URL(inject('engineAccess').url);
  const engine = connect(Number(port), hostname);
  let answered = 0;
  engine.on('data', (chunk: Buffer) => {
    answered += chunk.length;
    // What was written before the end arrives before it.
    if (answered <= cutAfterBytes) client.write(chunk);
    else client.end(() => engine.destroy());
  });
  client.on('data', (question: Buffer) => {
    answered = 0;
    asked = question.toString('latin1');
    engine.write(question);
  });
  client.on('close', () => engine.destroy()).on('error', () => {});
  engine.on('close', () => client.end()).on('error', () => {});
});

beforeAll(async () => {
  await once(line.listen(0, '127.0.0.1'), 'listening');
  const { username, password } = inject('engineAccess');
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  store = openFactStore({ url, username, password, database: 'default' });
});
afterAll(async () => {
  await store.close();
  line.close();
});

const manyRows = {
  name: 'many rows',
  sql: 'SELECT number FROM numbers({count:UInt32})',
  parameters: { count: 100_000 },
};

test('an answer that breaks off in the middle is an outage, and the next one is whole', async () => {
  expect(await store.select(manyRows)).toHaveLength(100_000);
  cutAfterBytes = 100_000;
  await expect(store.select(manyRows)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  cutAfterBytes = Number.POSITIVE_INFINITY;
  // A connection that ended meanwhile may cost a select.
  await expect.poll(() => store.select(manyRows)).toHaveLength(100_000);
});

test('a store of an earlier release is told not to end an answer that fails as valid JSON', async () => {
  // As this release of the engine does by itself.
  await store.select({ ...manyRows, parameters: { count: 1 } });
  const [, address] = /^POST (\S+)/.exec(asked) ?? [];
  const { searchParams } = new URL(address ?? '', 'http://engine');
  expect(searchParams.get('http_write_exception_in_output_format')).toBe('0');
});
