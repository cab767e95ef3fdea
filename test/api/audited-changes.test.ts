/**
 * Whatever is changed under /manage is in the audit, by paths added later too; what each operation
 * notes is in src/operations/operations.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { operations } from '../../src/operations/operations.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ environment: { TRUST_PROXY: 'loopback' } });
  account = await service.addAccount();
});
afterAll(() => service.stop());

test('whatever changes something is an operation, which its record says how to audit', async () => {
  const { described } = await listRoutes();
  const changing = described.filter(
    ({ method, url }) => method !== 'get' && url.startsWith('/manage/'),
  );
  const audited = operations.filter(({ audit }) => audit);
  expect(changing.map(({ method, url }) => `${method.toUpperCase()} ${url}`).sort()).toEqual(
    audited.map(({ method, url }) => `${method} ${url}`).sort(),
  );
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['10.1.2.3, 203.0.113.7:4711', '203.0.113.7'],
  ['anything at all, 127.0.0.2', '127.0.0.2'],
])('of a change behind %j the audit has the address that limits go by', async (sent, noted) => {
  const { accountId, key } = account;
  const message = { folderName: 'Elsewhere' };
  const headers = { 'x-forwarded-for': sent };
  const { status } = await service.manage(key, 'POST', '/folders', message, headers);
  expect(status).toBe(201);
  const [entry] = await service.catalog.audit.list(accountId, { limit: 1 });
  expect(entry).toMatchObject({ action: 'FOLDER_CREATED', address: noted });
});
