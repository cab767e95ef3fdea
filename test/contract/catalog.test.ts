import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, countLimits } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { refused } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const run = promisify(execFile);
const dayMs = 86_400_000;

describeKinds(catalogStores('always'), 'catalog on $name', (store) => {
  const longOnPostgres: 'long'[] = store.name === 'PostgreSQL' ? ['long'] : [];
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });

  afterAll(() => store.stop());

  const newAccount = () => addAccount(catalog);

  async function newPublication() {
    const accountId = await newAccount();
    const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'Films' }));
    const video = accepted(await catalog.videos.create(accountId, { folderId, title: 'Film' }));
    const { packageId } = accepted(
      await catalog.packages.create(accountId, { packageName: 'Web' }),
    );
    const name = { accountId, packageId, accessKey: video.accessKey };
    return { name, video, publication: accepted(await catalog.publications.publish(name)) };
  }

  test('answers a ping', async () => {
    await expect(catalog.ping()).resolves.toBeUndefined();
  });

  test('is opened for the first time by several processes at once', { tags: 'long' }, async () => {
    const argument = JSON.stringify(await store.newLocation());
    const openings = Array.from({ length: 3 }, () =>
      run(process.execPath, ['test/support/open-and-add.ts', argument]),
    );
    const ids = (await Promise.all(openings)).map(({ stdout }) => Number(stdout));
    expect(ids.toSorted()).toEqual([1, 2, 3]);
  });

  describe('accounts', () => {
    test('are created, found, changed and listed', async () => {
      const account = accepted(
        await catalog.accounts.create({
          name: '영상 스튜디오',
          timeZone: 'asia/seoul',
        }),
      );
      expect(account).toEqual({
        accountId: expect.any(Number),
        name: '영상 스튜디오',
        timeZone: 'Asia/Seoul',
        takesUnsealed: false,
        factsMonths: 25,
        keepsSums: true,
        viewers: 'anonymous',
      });
      const { accountId } = account;
      expect(await catalog.accounts.find(accountId)).toEqual(account);
      const changed = { ...account, timeZone: 'Asia/Kathmandu' };
      const changes = { timeZone: 'Asia/Kathmandu' };
      expect(accepted(await catalog.accounts.change(accountId, changes))).toEqual(changed);
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
      expect(await catalog.accounts.create(account)).toMatchObject({
        ok: false,
        reason: { code: 'INVALID', fields: [{ field: parameter }] },
      });
    });

    test('that do not exist are not found', async () => {
      expect(await catalog.accounts.find(Number.MAX_SAFE_INTEGER)).toBeUndefined();
      expect(await catalog.accounts.change(999_999, {})).toEqual(refused('NO_ACCOUNT'));
    });
  });

  describe('keys', () => {
    test('identify the caller', async () => {
      const accountId = await newAccount();
      const scopes = ['stats:read', 'manage'] as const;
      const made = await catalog.keys.create({ accountId, name: 'Player', scopes });
      const { keyId, secret } = accepted(made);
      expect(secret).toMatch(/^pm_[A-Za-z0-9_-]{51}$/);
      expect(await catalog.keys.authenticate(secret)).toEqual({
        accountId,
        name: 'Studio',
        timeZone: 'UTC',
        keyId,
        keyName: 'Player',
        scopes,
      });
    });

    test('that are unknown, malformed or off by one character identify nobody', async () => {
      const accountId = await newAccount();
      const { secret } = accepted(await catalog.keys.create({ accountId, scopes: ['manage'] }));
      const last = secret.endsWith('A') ? 'B' : 'A';
      for (const wrong of ['', 'pm_', `${secret}A`, secret.slice(0, -1) + last, ` ${secret}`]) {
        expect(await catalog.keys.authenticate(wrong)).toBeUndefined();
      }
    });

    test('are over at their expiry, to the millisecond', async () => {
      const accountId = await newAccount();
      const expiresAt = new Date(clock.now() + 1000);
      const { secret } = accepted(
        await catalog.keys.create({ accountId, scopes: ['manage'], expiresAt }),
      );
      clock.advance(999);
      expect(await catalog.keys.authenticate(secret)).toBeDefined();
      clock.advance(1);
      expect(await catalog.keys.authenticate(secret)).toBeUndefined();
    });

    test('are revoked at once here, and within a second in another process', async () => {
      const accountId = await newAccount();
      const { keyId, secret } = accepted(
        await catalog.keys.create({ accountId, scopes: ['manage'] }),
      );
      const other = await store.open(location, clock);
      expect(await other.keys.authenticate(secret)).toBeDefined();
      expect(await catalog.keys.authenticate(secret)).toBeDefined();
      accepted(await catalog.keys.revoke({ accountId, keyId }));
      accepted(await catalog.keys.revoke({ accountId, keyId }));
      expect(await catalog.keys.authenticate(secret)).toBeUndefined();
      clock.advance(1000);
      expect(await other.keys.authenticate(secret)).toBeUndefined();
    });

    test('are not remembered by a first use that a revocation overtakes', async () => {
      const accountId = await newAccount();
      for (let round = 0; round < 25; round += 1) {
        const { keyId, secret } = accepted(
          await catalog.keys.create({ accountId, scopes: ['manage'] }),
        );
        const uses = Array.from({ length: round % 5 }, () => catalog.keys.authenticate(secret));
        const revocation = catalog.keys.revoke({ accountId, keyId });
        await Promise.all([...uses, catalog.keys.authenticate(secret), revocation]);
        expect(await catalog.keys.authenticate(secret)).toBeUndefined();
      }
    });

    test('follow a change of the account at once', async () => {
      const accountId = await newAccount();
      const { secret } = accepted(await catalog.keys.create({ accountId, scopes: ['manage'] }));
      await catalog.keys.authenticate(secret);
      accepted(await catalog.accounts.change(accountId, { timeZone: 'Asia/Seoul' }));
      expect(await catalog.keys.authenticate(secret)).toMatchObject({ timeZone: 'Asia/Seoul' });
    });

    test('rotate with an overlap', async () => {
      const accountId = await newAccount();
      const old = accepted(
        await catalog.keys.create({ accountId, scopes: ['manage', 'info:read'] }),
      );
      const name = { accountId, keyId: old.keyId };
      const fresh = accepted(await catalog.keys.rotate(name, dayMs));
      clock.advance(dayMs - 1);
      expect(await catalog.keys.authenticate(old.secret)).toBeDefined();
      clock.advance(1);
      expect(await catalog.keys.authenticate(old.secret)).toBeUndefined();
      const scopes = ['info:read', 'manage'];
      expect(await catalog.keys.authenticate(fresh.secret)).toMatchObject({ scopes });
      expect(await catalog.keys.rotate(name, 0)).toEqual(refused('KEY_ENDED'));
    });

    test('are listed without their secrets', async () => {
      const accountId = await newAccount();
      const expiresAt = new Date(clock.now() + dayMs);
      const key = accepted(
        await catalog.keys.create({ accountId, scopes: ['stats:read'], expiresAt }),
      );
      const createdAt = new Date(clock.now());
      accepted(await catalog.keys.revoke({ accountId, keyId: key.keyId }));
      expect(await catalog.keys.list(accountId)).toEqual([
        {
          keyId: key.keyId,
          accountId,
          prefix: key.secret.slice(0, 11),
          name: '',
          scopes: ['stats:read'],
          createdAt,
          expiresAt,
          revokedAt: createdAt,
          lastUsedAt: undefined,
          createdBy: 'SERVICE',
          createdByName: undefined,
        },
      ]);
    });

    test('of another account do not exist', async () => {
      const { keyId } = accepted(
        await catalog.keys.create({
          accountId: await newAccount(),
          scopes: ['manage'],
        }),
      );
      const name = { accountId: await newAccount(), keyId };
      expect(await catalog.keys.revoke(name)).toEqual(refused('NO_KEY'));
      expect(await catalog.keys.rotate(name, 0)).toEqual(refused('NO_KEY'));
      expect(await catalog.keys.list(name.accountId)).toEqual([]);
    });

    test('are at most 1,000 in an account', { tags: longOnPostgres }, async () => {
      const accountId = await newAccount();
      for (let made = 0; made < countLimits.apiKeys; made += 1) {
        accepted(await catalog.keys.create({ accountId, scopes: ['manage'] }));
      }
      const surplus = catalog.keys.create({ accountId, scopes: ['manage'] });
      expect(await surplus).toEqual(refused('TOO_MANY_KEYS'));
      const operator = catalog.as({ kind: 'COMMAND_LINE', userName: 'root' });
      accepted(await operator.keys.create({ accountId, scopes: ['manage'] }));
    });

    test('need scopes that exist', async () => {
      const accountId = await newAccount();
      const refusal = { reason: { code: 'INVALID', fields: [{ field: 'scopes' }] } };
      expect(await catalog.keys.create({ accountId, scopes: [] })).toMatchObject(refusal);
      const scopes = ['everything' as 'manage'];
      expect(await catalog.keys.create({ accountId, scopes })).toMatchObject(refusal);
    });
  });

  describe('publications', () => {
    const asMade = {
      ...{
        allowedOrigins: [],
        durationMs: 0,
        takesUnsealed: false,
        viewers: 'anonymous',
        signing: 'open',
      },
    };

    test('are identified by videoKey and by name', async () => {
      const { name, publication, video } = await newPublication();
      const { videoKey } = publication;
      const { videoId } = video;
      const numbers = { accountId: name.accountId, packageId: name.packageId, videoId };
      const identified = { ...numbers, videoKey, ...asMade };
      const byKey = await catalog.publications.identify([videoKey, 'nobody', videoKey]);
      expect([...byKey]).toEqual([[videoKey, identified]]);
      expect([...(await catalog.publications.identify([videoKey]))]).toEqual([
        [videoKey, identified],
      ]);
      const { accountId, accessKey, packageId } = name;
      const byName = () => catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(await byName()).toEqual(identified);
      expect(await byName()).toEqual(identified);
      const second = accepted(await catalog.packages.create(accountId, { packageName: 'App' }));
      const inSecond = () =>
        catalog.publications.identifyWithin(accountId, accessKey, second.packageId);
      expect(await inSecond()).toBeUndefined();
      const also = accepted(
        await catalog.publications.publish({ ...name, packageId: second.packageId }),
      );
      expect(await inSecond()).toEqual({
        ...{ ...identified, packageId: second.packageId, videoKey: also.videoKey },
      });
      expect(await byName()).toEqual(identified);
      const other = await newAccount();
      const stranger = catalog.publications.identifyWithin(other, accessKey, packageId);
      expect(await stranger).toBeUndefined();
      expect(await catalog.publications.findVideoId(other, accessKey)).toBeUndefined();
    });

    test('are identified by their numbers, where these belong together', async () => {
      const { name, publication, video } = await newPublication();
      const numbers = {
        accountId: name.accountId,
        packageId: name.packageId,
        videoId: video.videoId,
      };
      const identify = () => catalog.publications.identifyByNumbers(numbers);
      const identified = { ...numbers, videoKey: publication.videoKey, ...asMade };
      expect(await identify()).toEqual(identified);
      expect(await identify()).toEqual(identified);
      const stranger = { ...numbers, accountId: await newAccount() };
      expect(await catalog.publications.identifyByNumbers(stranger)).toBeUndefined();
      accepted(await catalog.publications.retire(name));
      expect(await identify()).toBeUndefined();
    });

    test('give the allowed origins, as they are now', async () => {
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
      const changed = accepted(
        await catalog.packages.change(accountId, packageId, {
          allowedOrigins: [...given, 'https://site.example'],
        }),
      );
      expect(changed).toMatchObject({ allowedOrigins });
      expect(await catalog.packages.find(accountId, packageId)).toEqual(changed);
      expect(await originsNow()).toEqual(allowedOrigins);
      const bad = ['https://site.example/', 'site.example', 'null', 'https://a b', 'https://u@x'];
      expect(
        await catalog.packages.change(accountId, packageId, { allowedOrigins: bad }),
      ).toMatchObject({
        reason: {
          code: 'INVALID',
          fields: bad.map((_, index) => ({ field: `allowedOrigins.${index}` })),
        },
      });
      accepted(await catalog.packages.change(accountId, packageId, { packageName: 'Renamed' }));
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
      expect(accepted(await catalog.publications.publish(name))).toEqual(publication);
      expect(await catalog.publications.find(name)).toEqual(publication);
    });

    test('are paused and served again, and identified all the while', async () => {
      const { name, publication } = await newPublication();
      const paused = accepted(await catalog.publications.setServiceAble(name, 'N'));
      expect(paused).toEqual({ ...publication, serviceAble: 'N' });
      expect(await catalog.publications.find(name)).toEqual(paused);
      expect((await catalog.publications.identify([publication.videoKey])).size).toBe(1);
      expect(accepted(await catalog.publications.setServiceAble(name, 'Y'))).toEqual(publication);
    });

    test('that are retired stay so; the video may be published anew', async () => {
      const { name, publication } = await newPublication();
      const { accountId, accessKey, packageId } = name;
      const { videoKey } = publication;
      await catalog.publications.identify([videoKey]);
      await catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(await catalog.publications.isRetired(videoKey)).toBe(false);
      accepted(await catalog.publications.retire(name));
      expect((await catalog.publications.identify([videoKey])).size).toBe(0);
      const named = await catalog.publications.identifyWithin(accountId, accessKey, packageId);
      expect(named).toBeUndefined();
      expect(await catalog.publications.find(name)).toBeUndefined();
      expect(await catalog.publications.isRetired(videoKey)).toBe(true);
      expect(await catalog.publications.isRetired('never was')).toBe(false);
    });

    test('come back under the key that they had, as new ones', async () => {
      const { name, publication, video } = await newPublication();
      const { videoKey } = publication;
      const { accountId, accessKey, packageId } = name;
      accepted(await catalog.publications.setServiceAble(name, 'N'));
      accepted(await catalog.publications.retire(name));
      expect((await catalog.publications.identify([videoKey])).size).toBe(0);
      accepted(await catalog.videos.change(accountId, accessKey, { title: 'Zebra' }));
      const again = accepted(await catalog.publications.publish(name));
      expect(again).toEqual(publication);
      expect(accepted(await catalog.publications.publish(name))).toEqual(publication);
      expect(await catalog.publications.isRetired(videoKey)).toBe(false);
      clock.advance(1000);
      expect((await catalog.publications.identify([videoKey])).get(videoKey)).toMatchObject({
        videoId: video.videoId,
      });
      const whole = { searchItem: 'title', sortItem: 'title', sortDirection: 'asc' } as const;
      const query = { ...whole, keyword: 'zeb', pageSize: 10, page: 1 };
      const found = accepted(await catalog.videos.listPackage(accountId, packageId, query));
      expect(found.videos.map((one) => one.videoKey)).toEqual([videoKey]);
    });

    test('have a key of their own in each package', async () => {
      const { name, publication } = await newPublication();
      const { accountId } = name;
      const { packageId } = accepted(
        await catalog.packages.create(accountId, { packageName: 'Second' }),
      );
      accepted(await catalog.publications.retire(name));
      const second = accepted(await catalog.publications.publish({ ...name, packageId }));
      expect(second.videoKey).not.toBe(publication.videoKey);
      expect(await catalog.publications.isRetired(publication.videoKey)).toBe(true);
    });

    test('are added many at a time, each with its own answer', async () => {
      const { name, publication, video } = await newPublication();
      const { accountId, packageId } = name;
      const fields = { folderId: video.folderId, title: 'Film', accessKey: 'second' };
      accepted(await catalog.videos.create(accountId, fields));
      const keys = ['second', 'nobody', name.accessKey, 'second'];
      const results = await catalog.publications.publishMany(accountId, packageId, keys);
      const second = await catalog.publications.find({ ...name, accessKey: 'second' });
      expect(results).toEqual([
        { ok: true, value: second },
        refused('NO_VIDEO'),
        { ok: true, value: publication },
        { ok: true, value: second },
      ]);
    });

    test('notice what another process did, within a second', async () => {
      const { name, publication } = await newPublication();
      const videoKeys = [publication.videoKey];
      const other = await store.open(location, clock);
      expect((await other.publications.identify(videoKeys)).size).toBe(1);
      accepted(await catalog.publications.retire(name));
      clock.advance(1000);
      expect((await other.publications.identify(videoKeys)).size).toBe(0);
    });

    test('that were asked for too early are known a second later', async () => {
      const other = await store.open(location, clock);
      const { name, publication } = await newPublication();
      accepted(await catalog.publications.retire(name));
      expect((await other.publications.identify([publication.videoKey])).size).toBe(0);
      const { videoKey } = accepted(await catalog.publications.publish(name));
      expect((await other.publications.identify([videoKey])).size).toBe(0);
      clock.advance(1000);
      expect((await other.publications.identify([videoKey])).size).toBe(1);
    });

    test('go with their video and with their package, whose ids stay', async () => {
      const first = await newPublication();
      const { accountId, accessKey } = first.name;
      accepted(await catalog.videos.delete(accountId, accessKey));
      expect((await catalog.publications.identify([first.publication.videoKey])).size).toBe(0);
      const { videoId } = first.video;
      expect(await catalog.publications.findVideoId(accountId, accessKey)).toBe(videoId);
      const second = await newPublication();
      accepted(await catalog.packages.delete(second.name.accountId, second.name.packageId));
      expect((await catalog.publications.identify([second.publication.videoKey])).size).toBe(0);
      expect(await catalog.publications.isRetired(second.publication.videoKey)).toBe(true);
    });

    test('need a video and a package of the account', async () => {
      const { name } = await newPublication();
      const other = await newPublication();
      for (const [reason, wrong] of [
        ['NO_PACKAGE', { ...name, packageId: other.name.packageId }],
        ['NO_VIDEO', { ...name, accessKey: other.name.accessKey }],
        ['NO_VIDEO', { ...name, accountId: other.name.accountId }],
      ] as const) {
        expect(await catalog.publications.publish(wrong)).toEqual(refused(reason));
        const missing = refused('NO_PUBLICATION');
        expect(await catalog.publications.retire(wrong)).toEqual(missing);
        expect(await catalog.publications.setServiceAble(wrong, 'N')).toEqual(missing);
        expect(await catalog.publications.find(wrong)).toBeUndefined();
      }
    });
  });

  describe('snapshots', () => {
    const roomBytes = 300_000;

    async function keepOne(requestId: string, of: { accountId?: number; bytes?: number } = {}) {
      const { accountId = await newAccount(), bytes = 70_000 } = of;
      const snapshot = {
        requestId,
        accountId,
        path: '/report/statistics/video/v1/info/date',
        rowCount: 365,
        body: Uint8Array.from({ length: bytes }, (_, index) => index % 256),
        asOf: new Date(clock.now() - 5),
        completeThrough: new Date(clock.now() - 1500),
        expiresAt: new Date(clock.now() + 3_600_000),
      };
      await catalog.snapshots.keep(snapshot, roomBytes);
      return snapshot;
    }

    const areKept = (requestIds: readonly string[]) =>
      Promise.all(requestIds.map(async (id) => (await catalog.snapshots.find(id)) !== undefined));

    test('are found as they were kept, until they expire', async () => {
      const snapshot = await keepOne('11111111-1111-4111-8111-111111111111');
      const found = await catalog.snapshots.find(snapshot.requestId);
      expect({ ...found, body: Uint8Array.from(found?.body ?? []) }).toEqual(snapshot);
      clock.advance(3_599_999);
      expect(await catalog.snapshots.find(snapshot.requestId)).toBeDefined();
      clock.advance(1);
      expect(await catalog.snapshots.find(snapshot.requestId)).toBeUndefined();
    });

    test('are purged in portions once they have expired', async () => {
      const accountId = await newAccount();
      while ((await catalog.snapshots.purge()) > 0);
      for (let kept = 0; kept < 3; kept += 1) await keepOne(`of a portion ${kept}`, { accountId });
      expect(await catalog.snapshots.purge()).toBe(0);
      clock.advance(3_600_000);
      expect(await catalog.snapshots.purge()).toBe(3);
      expect(await catalog.snapshots.purge()).toBe(0);
    });

    test('have limited room in an account: the oldest go, the others stay', async () => {
      const own = { accountId: await newAccount(), bytes: 100_000 };
      const others = { accountId: await newAccount(), bytes: 100_000 };
      const names = ['first', 'second', 'third', 'fourth'];
      await keepOne('of another account', others);
      for (const name of names.slice(0, 3)) {
        await keepOne(name, own);
        clock.advance(1);
      }
      expect(await areKept(names)).toEqual([true, true, true, false]);
      await keepOne('fourth', { ...own, bytes: 100_001 });
      expect(await areKept(names)).toEqual([false, false, true, true]);
      expect(await areKept(['of another account'])).toEqual([true]);
    });

    test('take a page of the database at least', async () => {
      const own = { accountId: await newAccount(), bytes: 1 };
      for (let kept = 0; kept < 74; kept += 1) {
        await keepOne(`small ${kept}`, own);
        clock.advance(1);
      }
      expect(await areKept(['small 0', 'small 1', 'small 73'])).toEqual([false, true, true]);
    });
  });
});
