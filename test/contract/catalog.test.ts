import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { countLimits } from '../../src/catalog/check-count.ts';
import type { CatalogLocation } from '../../src/catalog/database.ts';
import { catalogStores } from '../support/catalogs.ts';
import { manualClock } from '../support/manual-clock.ts';

const run = promisify(execFile);
const dayMs = 86_400_000;

describe.each(catalogStores())('catalog on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;

  beforeAll(async () => {
    await store.start();
    location = await store.newLocation();
    catalog = await store.open(location, clock);
  });

  afterAll(() => store.stop());

  async function newAccount() {
    const { accountId } = await catalog.accounts.create({ name: 'Studio', timeZone: 'UTC' });
    return accountId;
  }

  async function newPublication() {
    const accountId = await newAccount();
    const { folderId } = await catalog.folders.create(accountId, { folderName: 'Films' });
    const video = await catalog.videos.create(accountId, { folderId, title: 'Film' });
    const { packageId } = await catalog.packages.create(accountId, { packageName: 'Web' });
    const name = { accountId, packageId, accessKey: video.accessKey };
    return { name, video, publication: await catalog.publications.publish(name) };
  }

  test('answers a ping', async () => {
    await expect(catalog.ping()).resolves.toBeUndefined();
  });

  test('is opened for the first time by several processes at once', async () => {
    const argument = JSON.stringify(await store.newLocation());
    const openings = Array.from({ length: 5 }, () =>
      run(process.execPath, ['test/support/open-and-add.ts', argument]),
    );
    const ids = (await Promise.all(openings)).map(({ stdout }) => Number(stdout));
    expect(ids.toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  describe('accounts', () => {
    test('are created, found, changed and listed', async () => {
      const account = await catalog.accounts.create({
        name: '영상 스튜디오',
        timeZone: 'asia/seoul',
      });
      expect(account).toEqual({
        accountId: expect.any(Number),
        name: '영상 스튜디오',
        timeZone: 'Asia/Seoul',
      });
      const { accountId } = account;
      expect(await catalog.accounts.find(accountId)).toEqual(account);
      const changed = { ...account, timeZone: 'Asia/Kathmandu' };
      const changes = { timeZone: 'Asia/Kathmandu' };
      expect(await catalog.accounts.change(accountId, changes)).toEqual(changed);
      expect(await catalog.accounts.list()).toContainEqual(changed);
    });

    test.each([
      { name: '', timeZone: 'UTC', parameter: 'name' },
      { name: 'a\u0000b', timeZone: 'UTC', parameter: 'name' },
      { name: '\ud800', timeZone: 'UTC', parameter: 'name' },
      { name: 'x'.repeat(201), timeZone: 'UTC', parameter: 'name' },
      { name: 'Studio', timeZone: '+09:00', parameter: 'timeZone' },
      { name: 'Studio', timeZone: 'Mars/Olympus', parameter: 'timeZone' },
    ])('refuse $parameter of $name, $timeZone', async ({ parameter, ...account }) => {
      await expect(catalog.accounts.create(account)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        errors: [{ parameter }],
      });
    });

    test('that do not exist are not found', async () => {
      expect(await catalog.accounts.find(Number.MAX_SAFE_INTEGER)).toBeUndefined();
      await expect(catalog.accounts.change(999_999, {})).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });

  describe('keys', () => {
    test('tell who asks', async () => {
      const accountId = await newAccount();
      const scopes = ['stats:read', 'manage'] as const;
      const { keyId, secret } = await catalog.keys.create({ accountId, scopes });
      expect(secret).toMatch(/^pm_[A-Za-z0-9_-]{51}$/);
      expect(await catalog.keys.authenticate(secret)).toEqual({
        accountId,
        name: 'Studio',
        timeZone: 'UTC',
        keyId,
        scopes,
      });
    });

    test('that are unknown, misshapen or off by one character tell nobody', async () => {
      const accountId = await newAccount();
      const { secret } = await catalog.keys.create({ accountId, scopes: ['manage'] });
      const last = secret.endsWith('A') ? 'B' : 'A';
      for (const wrong of ['', 'pm_', `${secret}A`, secret.slice(0, -1) + last, ` ${secret}`]) {
        expect(await catalog.keys.authenticate(wrong)).toBeUndefined();
      }
    });

    test('are over at their expiry, to the millisecond', async () => {
      const accountId = await newAccount();
      const expiresAt = new Date(clock.now() + 1000);
      const { secret } = await catalog.keys.create({ accountId, scopes: ['manage'], expiresAt });
      clock.advance(999);
      expect(await catalog.keys.authenticate(secret)).toBeDefined();
      clock.advance(1);
      expect(await catalog.keys.authenticate(secret)).toBeUndefined();
    });

    test('are revoked at once here, and within a second in another process', async () => {
      const accountId = await newAccount();
      const { keyId, secret } = await catalog.keys.create({ accountId, scopes: ['manage'] });
      const other = await store.open(location, clock);
      expect(await other.keys.authenticate(secret)).toBeDefined();
      expect(await catalog.keys.authenticate(secret)).toBeDefined();
      await catalog.keys.revoke({ accountId, keyId });
      await catalog.keys.revoke({ accountId, keyId });
      expect(await catalog.keys.authenticate(secret)).toBeUndefined();
      clock.advance(1000);
      expect(await other.keys.authenticate(secret)).toBeUndefined();
    });

    test('are not remembered by a first use that a revocation overtakes', async () => {
      const accountId = await newAccount();
      for (let round = 0; round < 50; round += 1) {
        const { keyId, secret } = await catalog.keys.create({ accountId, scopes: ['manage'] });
        const uses = Array.from({ length: round % 5 }, () => catalog.keys.authenticate(secret));
        const revocation = catalog.keys.revoke({ accountId, keyId });
        await Promise.all([...uses, catalog.keys.authenticate(secret), revocation]);
        expect(await catalog.keys.authenticate(secret)).toBeUndefined();
      }
    });

    test('follow a change of the account at once', async () => {
      const accountId = await newAccount();
      const { secret } = await catalog.keys.create({ accountId, scopes: ['manage'] });
      await catalog.keys.authenticate(secret);
      await catalog.accounts.change(accountId, { timeZone: 'Asia/Seoul' });
      expect(await catalog.keys.authenticate(secret)).toMatchObject({ timeZone: 'Asia/Seoul' });
    });

    test('rotate with an overlap', async () => {
      const accountId = await newAccount();
      const old = await catalog.keys.create({ accountId, scopes: ['manage', 'info:read'] });
      const name = { accountId, keyId: old.keyId };
      const fresh = await catalog.keys.rotate(name, dayMs);
      clock.advance(dayMs - 1);
      expect(await catalog.keys.authenticate(old.secret)).toBeDefined();
      clock.advance(1);
      expect(await catalog.keys.authenticate(old.secret)).toBeUndefined();
      const scopes = ['info:read', 'manage'];
      expect(await catalog.keys.authenticate(fresh.secret)).toMatchObject({ scopes });
      await expect(catalog.keys.rotate(name, 0)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('are listed without their secrets', async () => {
      const accountId = await newAccount();
      const expiresAt = new Date(clock.now() + dayMs);
      const key = await catalog.keys.create({ accountId, scopes: ['stats:read'], expiresAt });
      const createdAt = new Date(clock.now());
      await catalog.keys.revoke({ accountId, keyId: key.keyId });
      expect(await catalog.keys.list(accountId)).toEqual([
        {
          keyId: key.keyId,
          accountId,
          prefix: key.secret.slice(0, 11),
          scopes: ['stats:read'],
          createdAt,
          expiresAt,
          revokedAt: createdAt,
        },
      ]);
    });

    test('of another account do not exist', async () => {
      const { keyId } = await catalog.keys.create({
        accountId: await newAccount(),
        scopes: ['manage'],
      });
      const name = { accountId: await newAccount(), keyId };
      await expect(catalog.keys.revoke(name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(catalog.keys.rotate(name, 0)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await catalog.keys.list(name.accountId)).toEqual([]);
    });

    test('are at most 1,000 in an account', async () => {
      const accountId = await newAccount();
      for (let made = 0; made < countLimits.apiKeys; made += 1) {
        await catalog.keys.create({ accountId, scopes: ['manage'] });
      }
      const surplus = catalog.keys.create({ accountId, scopes: ['manage'] });
      await expect(surplus).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('need scopes that exist', async () => {
      const accountId = await newAccount();
      const fault = { code: 'INVALID_PARAMETER', errors: [{ parameter: 'scopes' }] };
      await expect(catalog.keys.create({ accountId, scopes: [] })).rejects.toMatchObject(fault);
      const scopes = ['everything' as 'manage'];
      await expect(catalog.keys.create({ accountId, scopes })).rejects.toMatchObject(fault);
    });
  });

  describe('publications', () => {
    test('are identified by videoKey and by name', async () => {
      const { name, publication, video } = await newPublication();
      const { videoKey } = publication;
      const { videoId } = video;
      const numbers = { accountId: name.accountId, packageId: name.packageId, videoId };
      const identified = { ...numbers, allowedOrigins: [] };
      const byKey = await catalog.publications.identify([videoKey, 'nobody', videoKey]);
      expect([...byKey]).toEqual([[videoKey, identified]]);
      expect([...(await catalog.publications.identify([videoKey]))]).toEqual([
        [videoKey, identified],
      ]);
      const { accountId, accessKey, packageId } = name;
      const byName = () => catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(await byName()).toEqual(identified);
      expect(await byName()).toEqual(identified);
      const other = await newAccount();
      const stranger = catalog.publications.identifyWithin(other, accessKey, packageId);
      expect(await stranger).toBeUndefined();
      expect(await catalog.publications.findVideoId(other, accessKey)).toBeUndefined();
    });

    test('are identified by their numbers, where these belong together', async () => {
      const { name, video } = await newPublication();
      const numbers = {
        accountId: name.accountId,
        packageId: name.packageId,
        videoId: video.videoId,
      };
      const identify = () => catalog.publications.identifyByNumbers(numbers);
      const identified = { ...numbers, allowedOrigins: [] };
      expect(await identify()).toEqual(identified);
      expect(await identify()).toEqual(identified);
      const stranger = { ...numbers, accountId: await newAccount() };
      expect(await catalog.publications.identifyByNumbers(stranger)).toBeUndefined();
      await catalog.publications.retire(name);
      expect(await identify()).toBeUndefined();
    });

    test('tell from which sites playback is taken, as that stands', async () => {
      const { name, publication } = await newPublication();
      const originsNow = async () =>
        (await catalog.publications.identify([publication.videoKey])).get(publication.videoKey)
          ?.allowedOrigins;
      expect(await originsNow()).toEqual([]);
      const { accountId, packageId } = name;
      const given = ['https://Site.example:443', 'http://bücher.example:8080', 'app://Player'];
      const allowedOrigins = [
        'https://site.example',
        'http://xn--bcher-kva.example:8080',
        'app://player',
      ];
      const changed = await catalog.packages.change(accountId, packageId, {
        allowedOrigins: [...given, 'https://site.example'],
      });
      expect(changed).toMatchObject({ allowedOrigins });
      expect(await catalog.packages.find(accountId, packageId)).toEqual(changed);
      expect(await originsNow()).toEqual(allowedOrigins);
      const bad = ['https://site.example/', 'site.example', 'null', 'https://a b', 'https://u@x'];
      await expect(
        catalog.packages.change(accountId, packageId, { allowedOrigins: bad }),
      ).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        errors: bad.map((_, index) => ({ parameter: `allowedOrigins.${index}` })),
      });
      await catalog.packages.change(accountId, packageId, { packageName: 'Renamed' });
      expect(await originsNow()).toEqual(allowedOrigins);
    });

    test('come in any number at once', async () => {
      const { publication } = await newPublication();
      const videoKeys = Array.from({ length: 2_500 }, (_, index) => `unknown${index}`);
      videoKeys.push(publication.videoKey);
      expect((await catalog.publications.identify(videoKeys)).size).toBe(1);
      expect((await catalog.publications.identify([])).size).toBe(0);
    });

    test('are published once, under a key that cannot be guessed', async () => {
      const { name, publication } = await newPublication();
      expect(publication.videoKey).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(await catalog.publications.publish(name)).toEqual(publication);
      expect(await catalog.publications.find(name)).toEqual(publication);
    });

    test('are paused and served again, and identified all the while', async () => {
      const { name, publication } = await newPublication();
      const paused = await catalog.publications.setServiceAble(name, 'N');
      expect(paused).toEqual({ ...publication, serviceAble: 'N' });
      expect(await catalog.publications.find(name)).toEqual(paused);
      expect((await catalog.publications.identify([publication.videoKey])).size).toBe(1);
      expect(await catalog.publications.setServiceAble(name, 'Y')).toEqual(publication);
    });

    test('that are retired stay so; the video may be published anew', async () => {
      const { name, publication } = await newPublication();
      const { accountId, accessKey, packageId } = name;
      const { videoKey } = publication;
      await catalog.publications.identify([videoKey]);
      await catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(await catalog.publications.isRetired(videoKey)).toBe(false);
      await catalog.publications.retire(name);
      expect((await catalog.publications.identify([videoKey])).size).toBe(0);
      const named = await catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(named).toBeUndefined();
      expect(await catalog.publications.find(name)).toBeUndefined();
      expect(await catalog.publications.isRetired(videoKey)).toBe(true);
      expect(await catalog.publications.isRetired('never was')).toBe(false);
      const again = await catalog.publications.publish(name);
      expect(again.videoKey).not.toBe(videoKey);
    });

    test('notice what another process did, within a second', async () => {
      const { name, publication } = await newPublication();
      const videoKeys = [publication.videoKey];
      const other = await store.open(location, clock);
      expect((await other.publications.identify(videoKeys)).size).toBe(1);
      await catalog.publications.retire(name);
      clock.advance(1000);
      expect((await other.publications.identify(videoKeys)).size).toBe(0);
    });

    test('that were asked for too early are known a second later', async () => {
      const other = await store.open(location, clock);
      const { name } = await newPublication();
      await catalog.publications.retire(name);
      // The key is not known beforehand: make it unknown in the other's cache while it is retired.
      const { videoKey } = await catalog.publications.publish(name);
      expect((await other.publications.identify([`${videoKey}x`])).size).toBe(0);
      clock.advance(1000);
      expect((await other.publications.identify([videoKey, `${videoKey}x`])).size).toBe(1);
    });

    test('go with their video and with their package, whose ids stay', async () => {
      const first = await newPublication();
      const { accountId, accessKey } = first.name;
      await catalog.videos.delete(accountId, accessKey);
      expect((await catalog.publications.identify([first.publication.videoKey])).size).toBe(0);
      const { videoId } = first.video;
      expect(await catalog.publications.findVideoId(accountId, accessKey)).toBe(videoId);
      const second = await newPublication();
      await catalog.packages.delete(second.name.accountId, second.name.packageId);
      expect((await catalog.publications.identify([second.publication.videoKey])).size).toBe(0);
      expect(await catalog.publications.isRetired(second.publication.videoKey)).toBe(true);
    });

    test('need a video and a package of the account', async () => {
      const { name } = await newPublication();
      const other = await newPublication();
      const missing = { code: 'NOT_FOUND' };
      for (const wrong of [
        { ...name, packageId: other.name.packageId },
        { ...name, accessKey: other.name.accessKey },
        { ...name, accountId: other.name.accountId },
      ]) {
        await expect(catalog.publications.publish(wrong)).rejects.toMatchObject(missing);
        await expect(catalog.publications.retire(wrong)).rejects.toMatchObject(missing);
        const paused = catalog.publications.setServiceAble(wrong, 'N');
        await expect(paused).rejects.toMatchObject(missing);
        expect(await catalog.publications.find(wrong)).toBeUndefined();
      }
    });
  });

  describe('snapshots', () => {
    async function keepOne(requestId: string) {
      const snapshot = {
        requestId,
        accountId: await newAccount(),
        address: '/report/statistics/video/v1/info/date',
        rowCount: 365,
        body: Uint8Array.from({ length: 70_000 }, (_, index) => index % 256),
        asOf: new Date(clock.now() - 5),
        completeThrough: new Date(clock.now() - 1500),
        expiresAt: new Date(clock.now() + 3_600_000),
      };
      await catalog.snapshots.keep(snapshot);
      return snapshot;
    }

    test('are found as they were kept, until they expire', async () => {
      const snapshot = await keepOne('11111111-1111-4111-8111-111111111111');
      const found = await catalog.snapshots.find(snapshot.requestId);
      expect({ ...found, body: Uint8Array.from(found?.body ?? []) }).toEqual(snapshot);
      clock.advance(3_600_000);
      expect(await catalog.snapshots.find(snapshot.requestId)).toEqual({
        ...snapshot,
        body: undefined,
      });
    });

    test('are purged: the body at the expiry, the trace of it a day later', async () => {
      const { requestId } = await keepOne('22222222-2222-4222-8222-222222222222');
      await catalog.snapshots.purge();
      expect(await catalog.snapshots.purge()).toBe(0);
      clock.advance(3_600_000);
      expect(await catalog.snapshots.purge()).toBe(1);
      expect(await catalog.snapshots.find(requestId)).toMatchObject({ body: undefined });
      clock.advance(dayMs);
      await catalog.snapshots.purge();
      expect(await catalog.snapshots.find(requestId)).toBeUndefined();
    });
  });
});
