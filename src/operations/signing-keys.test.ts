import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { accepted } from './refusal-faults.ts';
import { createSigningSealer, warnOfUnreadableSecrets } from './signing-keys.ts';

const sealer = createSigningSealer('the secret of this service');
const former = createSigningSealer('the secret that it had before');
const clock = manualClock();
let folder: string;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-unreadable-'));
  catalog = await openCatalog({ location: { sqliteFile: join(folder, 'catalog.sqlite') }, clock });
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true });
});

async function newAccount(): Promise<number> {
  return accepted(await catalog.accounts.create({ name: 'A', timeZone: 'UTC' })).accountId;
}

async function add(accountId: number, material: Uint8Array, algorithm: 'HS256' | 'EdDSA') {
  const { signingKeys } = catalog;
  return accepted(await signingKeys.add({ accountId, algorithm, material })).signingKeyId;
}

async function logged(): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _, done) {
      lines.push(String(line));
      done();
    },
  });
  await warnOfUnreadableSecrets({
    signingKeys: catalog.signingKeys,
    signingSealer: sealer,
    logger: pino(stream),
  });
  return lines.map((line) => JSON.parse(line));
}

test('secrets that another secret of the service sealed are named, and nothing else', async () => {
  // More than a portion.
  for (let account = 0; account < 11; account += 1) {
    const accountId = await newAccount();
    for (let key = 0; key < 10; key += 1) await add(accountId, sealer.seal('secret'), 'HS256');
  }
  const accountId = await newAccount();
  await add(accountId, Buffer.from('a public key'), 'EdDSA');
  const replaced = await add(accountId, former.seal('replaced'), 'HS256');
  const name = { accountId, signingKeyId: replaced };
  accepted(await catalog.signingKeys.rotate(name, sealer.seal('its successor'), 0));
  expect(await logged()).toEqual([]);

  const signingKeyId = await add(accountId, former.seal('secret'), 'HS256');
  const text = JSON.stringify(await logged());
  expect(JSON.parse(text)).toMatchObject([
    { level: 50, secrets: 1, first: [{ accountId, signingKeyId }] },
  ]);
  for (const words of ['APP_SECRET', 'tokens signed with them are refused', 'signing rotate']) {
    expect(text).toContain(words);
  }
});
