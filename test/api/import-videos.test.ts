/** Videos from CSV over the interface: counts, refused rows by line, limits, other accounts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
let folderId: number;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  folderId = (await service.catalog.folders.list(account.accountId))[0]?.folderId ?? 0;
});
afterAll(() => service.stop());

const bring = (message: object, key = account.key) =>
  service.manage(key, 'PUT', '/imports', message);

test('rows are imported once, and a bad one is named by its line', async () => {
  const packageId = await account.addPackage();
  const csv = 'cid,title,content,folderName\n1,One,"Two\nlines",\n2,,,\n3,Three,,Series\n';
  const refusals = [{ line: 4, reason: expect.stringContaining('title') }];
  expect(await bring({ csv, folderId, packageId })).toEqual({
    status: 200,
    body: { imported: 2, unchanged: 0, refused: 1, refusals },
  });
  expect((await bring({ csv, folderId, packageId })).body).toEqual({
    ...{ imported: 0, unchanged: 2, refused: 1, refusals },
  });
  const path = `/manage/v1/packages/${packageId}/videos`;
  const published = await (await service.get(path, account.key)).json();
  expect(published).toMatchObject({ paging: { totalCount: 2 } });
});

test('what is wrong with the whole is refused whole', async () => {
  const header = await bring({ csv: 'title,colour\nOne,red\n', folderId });
  expect(header).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
  expect(JSON.stringify(header.body)).toContain('colour');
  const long = await bring({ csv: `cid,title\n${'1,A\n'.repeat(10_001)}`, folderId });
  expect(long.status).toBe(400);
  expect(JSON.stringify(long.body)).toContain('10,000');
  expect((await bring({ folderId })).status).toBe(400);
});

test('folders and packages of others do not exist', async () => {
  const stranger = await service.addAccount();
  const csv = 'cid,title\n1,One\n';
  expect((await bring({ csv, folderId }, stranger.key)).status).toBe(404);
  const packageId = await account.addPackage();
  expect((await bring({ csv, packageId }, stranger.key)).status).toBe(404);
});
