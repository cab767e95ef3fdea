/** Whatever is changed under /manage is in the audit, by paths added later too. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const { described } = await listRoutes();
const changes = described
  .filter(({ method, url }) => method !== 'get' && url.startsWith('/manage/'))
  .map(({ method, url }) => `${method} ${url.slice('/manage/v1'.length)}`);

/** Every change, with a message and what is noted; in an order in which each can be made. */
const calls: readonly (readonly [string, object | undefined, string])[] = [
  ['patch /account', { name: 'Other' }, 'ACCOUNT_CHANGED'],
  ['post /keys', { scopes: ['manage'] }, 'KEY_CREATED'],
  ['patch /keys/:keyId', { name: 'Site' }, 'KEY_CHANGED'],
  ['post /keys/:keyId/rotate', {}, 'KEY_ROTATED'],
  ['delete /keys/:keyId', undefined, 'KEY_REVOKED'],
  ['post /signing-keys', {}, 'SIGNING_KEY_ADDED'],
  ['post /signing-keys/:signingKeyId/rotate', {}, 'SIGNING_KEY_ROTATED'],
  ['delete /signing-keys/:signingKeyId', undefined, 'SIGNING_KEY_DELETED'],
  ['post /labels', { name: 'course' }, 'LABEL_CREATED'],
  ['put /labels/:labelId', { name: 'subject' }, 'LABEL_CHANGED'],
  ['delete /labels/:labelId', undefined, 'LABEL_DELETED'],
  ['post /shares', { name: 'Last week', lastDays: 7 }, 'SHARE_CREATED'],
  ['delete /shares/:shareId', undefined, 'SHARE_REVOKED'],
  [
    'post /alerts',
    { name: 'Quiet', kind: 'silence', minutes: 30, url: 'https://hooks.example.com/a' },
    'ALERT_CREATED',
  ],
  ['delete /alerts/:alertId', undefined, 'ALERT_DELETED'],
  [
    'post /reports',
    { name: 'Weekly', every: 'week', measures: 'plays', url: 'https://hooks.example.com/a' },
    'REPORT_CREATED',
  ],
  ['delete /reports/:reportId', undefined, 'REPORT_DELETED'],
  ['post /folders', { folderName: 'One' }, 'FOLDER_CREATED'],
  ['put /folders/:folderId', { folderName: 'Two' }, 'FOLDER_CHANGED'],
  ['patch /folders/:folderId', { folderName: 'Three' }, 'FOLDER_CHANGED'],
  ['post /videos', { folderId: ':folderId', title: 'One', accessKey: 'film' }, 'VIDEO_CREATED'],
  ['put /imports', { folderId: ':folderId', csv: 'accessKey,title\nfilm,Import' }, 'VIDEO_CHANGED'],
  ['put /videos/:accessKey', { folderId: ':folderId', title: 'Two' }, 'VIDEO_CHANGED'],
  ['patch /videos/:accessKey', { title: 'Three' }, 'VIDEO_CHANGED'],
  [
    'put /videos/:accessKey/thumbnails',
    { thumbnails: [{ url: 'https://a.example/0' }, { url: 'https://a.example/1' }] },
    'THUMBNAILS_REPLACED',
  ],
  ['put /videos/:accessKey/thumbnails/selected', { seq: 1 }, 'THUMBNAIL_SELECTED'],
  ['post /packages', { packageName: 'One' }, 'PACKAGE_CREATED'],
  ['put /packages/:packageId', { packageName: 'Two' }, 'PACKAGE_CHANGED'],
  ['patch /packages/:packageId', { packageName: 'Three' }, 'PACKAGE_CHANGED'],
  ['put /packages/:packageId/videos/:accessKey', undefined, 'PUBLISHED'],
  ['patch /packages/:packageId/videos/:accessKey', { serviceAble: 'N' }, 'PUBLICATION_CHANGED'],
  ['delete /playback', undefined, 'PLAYBACK_ERASED'],
  ['delete /packages/:packageId/videos/:accessKey', undefined, 'PUBLICATION_RETIRED'],
  ['delete /packages/:packageId', undefined, 'PACKAGE_DELETED'],
  ['delete /videos/:accessKey', undefined, 'VIDEO_DELETED'],
  ['delete /folders/:folderId', undefined, 'FOLDER_DELETED'],
];
/**
 * Needs playback that was set apart: test/contract/verdicts.test.ts; a message of an alert:
 * test/contract/rules.test.ts.
 */
const elsewhere = ['put /suspects/:suspect', 'post /deliveries/:deliveryId/replay'];

let service: TestService;
let account: TestAccount;
/** Ids in the answers so far. */
const known = new Map<string, unknown>();
beforeAll(async () => {
  service = await startTestService({ environment: { TRUST_PROXY: 'loopback' } });
  account = await service.addAccount();
});
afterAll(() => service.stop());

test('every path that changes something is among the calls', () => {
  const covered = [...calls.map(([operation]) => operation), ...elsewhere];
  expect(changes.filter((operation) => !covered.includes(operation))).toEqual([]);
});

test.each(calls.filter(([operation]) => changes.includes(operation)))(
  '%s %j is noted once',
  async (operation, message, action) => {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replaceAll(/:([A-Za-z]+)/g, (_, name) => String(known.get(name)));
    const query = template === '/playback' ? '?viewer=ada' : '';
    const filled = message && { ...message };
    if (filled && 'folderId' in filled) filled.folderId = known.get('folderId');
    const before = await service.catalog.audit.list(account.accountId, { limit: 1_000 });
    const verb = method.toUpperCase();
    const { status, body } = await service.manage(account.key, verb, path + query, filled);
    expect(status).toBeLessThan(300);
    for (const [name, value] of Object.entries(body ?? {})) known.set(name, value);
    const after = await service.catalog.audit.list(account.accountId, { limit: 1_000 });
    expect(after).toHaveLength(before.length + 1);
    expect(after[0]).toMatchObject({ action, actor: expect.stringMatching(/^KEY:/) });
  },
);

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
