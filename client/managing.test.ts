/** The client's groups beside statistics, against the real service. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../test/support/service.ts';
import { Playmeter } from './src/index.ts';

let service: TestService;
let account: TestAccount;
let client: Playmeter;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  client = new Playmeter({ url: service.url, key: account.key });
});
afterAll(() => service.stop());

test('from a folder to a video that is played, and what became of its beacons', async () => {
  const { manage, information } = client;
  const { folderId } = await manage.addFolder({ folderName: 'Library' });
  const { packageId } = await manage.addPackage({ packageName: 'Web' });
  await expect(manage.deleteFolder(folderId + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await manage.renameFolder(folderId, 'Films')).toEqual({ folderId, folderName: 'Films' });
  const accessKey = 'film/1?';
  const put = await manage.putVideo(accessKey, { folderId, title: 'Film', duration: 5_000 });
  expect(put).toMatchObject({ accessKey, duration: 5_000 });
  expect(await manage.changeVideo(accessKey, { series: 'S' })).toMatchObject({ series: 'S' });
  const thumbnails = await manage.putThumbnails(accessKey, [{ url: 'https://i.example/0' }]);
  expect(await information.thumbnails({ accessKey })).toEqual(thumbnails);

  const { videoKey } = await manage.publish(packageId, accessKey);
  const detail = await information.video({ packageId, accessKey });
  expect(detail).toMatchObject({ videoInfo: { videoKey, serviceAble: 'Y' }, thumbnails });
  expect(await manage.pause(packageId, accessKey)).toMatchObject({ serviceAble: 'N' });
  expect(await manage.resume(packageId, accessKey)).toMatchObject({ serviceAble: 'Y' });
  const inFolder = await information.folderVideos({ folderId, keyword: 'FILM' });
  expect(inFolder).toMatchObject({ folderVideoList: [{ accessKey }], paging: { totalCount: 1 } });
  const inPackage = await information.packageVideos({ packageId });
  expect(inPackage.videoInfoList.map((video) => video.videoKey)).toEqual([videoKey]);
  expect(await information.folders()).toContainEqual({ id: folderId, folderName: 'Films' });
  expect(await information.packages()).toMatchObject([{ packageId, packageName: 'Web' }]);

  const at = new Date(Date.now() - 60_000).toISOString();
  await client.beacons.send([{ view: 'v', stretch: 0, at, playMs: 1_000, videoKey }]);
  const today = new Date().toISOString().slice(0, 10);
  const days = await manage.ledger({ sdate: '2026-01-01', edate: today });
  expect(days).toMatchObject([{ received: 1, counted: 1 }]);

  expect((await manage.suspects({ sdate: today, edate: today })).list).toEqual([]);
  const unknown = manage.decideSuspect('VIDEO:2026-11-22:0', 'accepted');
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });

  expect(await manage.retire(packageId, accessKey)).toBeUndefined();
  await expect(manage.deleteFolder(folderId)).rejects.toMatchObject({ code: 'CONFLICT' });
  await manage.deleteVideo(accessKey);
  await manage.deleteFolder(folderId);
  const gone = information.thumbnails({ accessKey });
  await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('keys are made, rotated and revoked', async () => {
  const { manage } = client;
  const made = await manage.addKey({ name: 'Site', scopes: ['info:read'] });
  expect(made).toMatchObject({ name: 'Site', lastUsedAt: null });
  expect(await manage.renameKey(made.keyId, 'Shop')).toMatchObject({ name: 'Shop' });
  const next = await manage.rotateKey(made.keyId, { overlapHours: 0 });
  const asNext = new Playmeter({ url: service.url, key: next.key });
  expect(await asNext.information.folders()).toHaveLength(1);
  await manage.revokeKey(next.keyId);
  await expect(asNext.information.folders()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { list, nextToken } = await manage.audit({ pageSize: 2 });
  expect(list).toMatchObject([
    { action: 'KEY_REVOKED', object: String(next.keyId) },
    { action: 'KEY_ROTATED', object: String(made.keyId), after: { newKeyId: next.keyId } },
  ]);
  const older = await manage.audit({ pageSize: 1, pageToken: nextToken ?? '' });
  expect(older.list).toMatchObject([
    { action: 'KEY_CHANGED', before: { name: 'Site' }, after: { name: 'Shop' } },
  ]);
  const ours = await manage.audit({ action: 'KEY_CREATED', actor: 'SERVICE' });
  expect(ours.list).toMatchObject([{ actor: 'SERVICE', after: { name: '' } }]);
});

test('a share is made, shown, listed and revoked', async () => {
  const { manage } = client;
  const fields = { name: 'The last week', lastDays: 7, origins: ['https://a.example'] };
  const { path, ...made } = await manage.addShare(fields);
  const [, token] = /^\/shared\/(.{8}#.{43})$/.exec(path) ?? [];
  const headers = { 'x-playmeter-share': token?.replace('#', '') ?? '' };
  const shown = await fetch(`${service.url}/shared-view`, { headers });
  expect(await shown.json()).toMatchObject({ name: 'The last week', video: null });
  expect((await manage.shares()).list).toEqual([made]);
  expect(made).toMatchObject({ ...fields, sdate: null, compare: 'none', timeZone: 'UTC' });
  await manage.revokeShare(made.shareId);
  expect((await manage.shares()).list).toEqual([]);
});

test('alerts and reports are made, listed and deleted', async () => {
  const { manage } = client;
  const url = 'https://hooks.example.com/a';
  const { secret, ...alert } = await manage.addAlert({
    ...{ name: 'Quiet', kind: 'silence', minutes: 30, url },
  });
  expect(secret).toMatch(/^whsec_/);
  expect((await manage.alerts()).list).toEqual([alert]);
  const fields = { name: 'Weekly', every: 'week', measures: 'plays', secret } as const;
  const { secret: same, ...report } = await manage.addReport({ ...fields, url });
  expect(same).toBe(secret);
  expect((await manage.reports()).list).toEqual([report]);
  expect((await manage.deliveries({ alertId: alert.alertId })).list).toEqual([]);
  const missing = { status: 404 };
  await expect(manage.delivery(987_654)).rejects.toMatchObject(missing);
  await expect(manage.replayDelivery(987_654)).rejects.toMatchObject(missing);
  await manage.deleteAlert(alert.alertId);
  await manage.deleteReport(report.reportId);
  expect((await manage.reports()).list).toEqual([]);
});

test('signing keys are made, listed, rotated and deleted', async () => {
  const { manage } = client;
  const made = await manage.addSigningKey();
  expect(made).toMatchObject({ algorithm: 'HS256', secret: expect.stringMatching(/^pms_/) });
  const next = await manage.rotateSigningKey(made.signingKeyId, { overlapHours: 1 });
  expect(next.secret).not.toBe(made.secret);
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const own = await manage.addSigningKey({ publicKey: pem });
  expect(own).toMatchObject({ algorithm: 'EdDSA', publicKey: pem, secret: null });
  await manage.deleteSigningKey(made.signingKeyId);
  expect(await manage.signingKeys()).toMatchObject([
    { signingKeyId: next.signingKeyId, isReadable: true, publicKey: null },
    { signingKeyId: own.signingKeyId, publicKey: pem },
  ]);
  const ended = manage.rotateSigningKey(made.signingKeyId);
  await expect(ended).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('what is added is added once, though the answer was lost', async () => {
  let lost = 0;
  const losing = new Playmeter({
    url: service.url,
    key: account.key,
    async fetch(...request) {
      const response = await fetch(...request);
      lost += 1;
      if (lost === 1) throw new TypeError('connection lost');
      return response;
    },
  });
  const { packageId } = await losing.manage.addPackage({ packageName: 'Once' });
  expect(lost).toBe(2);
  const named = (await client.information.packages()).filter((one) => one.packageName === 'Once');
  expect(named).toMatchObject([{ packageId }]);
});
