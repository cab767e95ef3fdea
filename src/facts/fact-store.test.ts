import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type FactStore, openFactStore } from './fact-store.ts';

let cutAfterBytes = Number.POSITIVE_INFINITY;
let store: FactStore;
/** Between us and the engine; cuts an answer off. */
const line = createServer((client) => {
  const { hostname, port } = new URL(inject('engineAccess').url);
  const engine = connect(Number(port), hostname);
  let answered = 0;
  engine.on('data', (chunk: Buffer) => {
    answered += chunk.length;
    client.write(chunk);
    // What came before is read by then.
    if (answered <= cutAfterBytes) return;
    engine.pause();
    setTimeout(() => client.destroy(), 100);
  });
  client.on('data', (question: Buffer) => {
    answered = 0;
    engine.write(question);
  });
  endTogether(client, engine);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { username, password } = inject('engineAccess');
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  store = openFactStore({ url, username, password, database: 'default' });
});
afterAll(async () => {
  await store.close();
  line.close();
});

const manyRows = {
  sql: 'SELECT number FROM numbers({count:UInt32})',
  parameters: { count: 100_000 },
};

test('an answer that breaks off in the midst is a store that does not answer', async () => {
  expect(await store.select(manyRows)).toHaveLength(100_000);
  cutAfterBytes = 100_000;
  await expect(store.select(manyRows)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  cutAfterBytes = Number.POSITIVE_INFINITY;
  expect(await store.select(manyRows)).toHaveLength(100_000);
});

function endTogether(one: Socket, other: Socket): void {
  for (const [end, far] of [
    [one, other],
    [other, one],
  ] as const) {
    end.on('close', () => far.destroy());
    end.on('error', () => {});
  }
}
