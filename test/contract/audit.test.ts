import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteChange } from '../../src/catalog/audit/change-entry.ts';
import type { Actor, AuditEntry, Catalog, VideoToPut } from '../../src/catalog/catalog.ts';
import { type CatalogLocation, openDatabase } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addAccount, addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const actor: Actor = { kind: 'KEY', keyId: 7, keyName: 'ours', address: '192.0.2.1' };
const all = { limit: 1_000 };
const hourMs = 3_600_000;

describeKinds(catalogStores(), 'the audit on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let ours: Catalog;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
    ours = catalog.as(actor);
  });

  afterAll(() => store.stop());

  const newAccount = () => addAccount(catalog);

  const short = ({ action, object, before, after }: AuditEntry) => [action, object, before, after];

  /** What was noted since the account was made, in order. */
  async function notedOf(accountId: number) {
    const entries = await catalog.audit.list(accountId, all);
    return entries.toReversed().slice(1).map(short);
  }

  test('says who, when, from where, and what became of what', async () => {
    const accountId = await newAccount();
    clock.advance(1);
    accepted(await ours.accounts.change(accountId, { timeZone: 'Asia/Seoul' }));
    const [change, creation] = await catalog.audit.list(accountId, all);
    expect(change).toEqual({
      auditId: expect.any(Number),
      at: new Date(clock.now()),
      actor: 'KEY:7',
      actorName: 'ours',
      address: '192.0.2.1',
      action: 'ACCOUNT_CHANGED',
      object: String(accountId),
      before: { timeZone: 'UTC' },
      after: { timeZone: 'Asia/Seoul' },
    });
    expect(creation).toMatchObject({ actor: 'SERVICE', actorName: '', address: null });
  });

  test('names the user of the command line', async () => {
    const accountId = await newAccount();
    const operator = catalog.as({ kind: 'COMMAND_LINE', userName: 'alice' });
    accepted(await operator.accounts.change(accountId, { name: 'Other' }));
    expect((await catalog.audit.list(accountId, all))[0]).toMatchObject({
      actor: 'COMMAND_LINE',
      actorName: 'alice',
      address: null,
    });
  });

  test('covers folders and packages', async () => {
    const accountId = await newAccount();
    const { folderId } = accepted(await ours.folders.create(accountId, { folderName: 'Films' }));
    accepted(await ours.folders.rename(accountId, folderId, { folderName: 'Film' }));
    accepted(await ours.folders.delete(accountId, folderId));
    const { packageId } = accepted(await ours.packages.create(accountId, { packageName: 'Web' }));
    const allowedOrigins = ['https://site.example'];
    accepted(await ours.packages.change(accountId, packageId, { allowedOrigins }));
    accepted(await ours.packages.delete(accountId, packageId));
    const made = { packageName: 'Web', packageType: 'VOD', signing: 'open' };
    expect(await notedOf(accountId)).toEqual([
      ['FOLDER_CREATED', String(folderId), null, { folderName: 'Films' }],
      ['FOLDER_CHANGED', String(folderId), { folderName: 'Films' }, { folderName: 'Film' }],
      ['FOLDER_DELETED', String(folderId), { folderName: 'Film' }, null],
      ['PACKAGE_CREATED', String(packageId), null, { ...made, allowedOrigins: [] }],
      ['PACKAGE_CHANGED', String(packageId), { allowedOrigins: [] }, { allowedOrigins }],
      ['PACKAGE_DELETED', String(packageId), { ...made, allowedOrigins }, null],
    ]);
  });

  test('covers videos, thumbnails and publications', async () => {
    const { accountId, folderId, packageId } = await addLibrary(ours);
    const { videos, thumbnails, publications } = ours;
    const film = { folderId, title: 'Film', accessKey: 'film' };
    accepted(await videos.create(accountId, film));
    accepted(await videos.change(accountId, 'film', { title: 'Movie', cid: 'c' }));
    const urls = ['https://a.example/0.jpg', 'https://a.example/1.jpg'];
    accepted(
      await thumbnails.replace(
        accountId,
        'film',
        urls.map((url) => ({ url })),
      ),
    );
    accepted(await thumbnails.select(accountId, 'film', 1));
    const name = { accountId, packageId, accessKey: 'film' };
    const { videoKey } = accepted(await publications.publish(name));
    accepted(await publications.publish(name));
    accepted(await publications.setServiceAble(name, 'N'));
    accepted(await publications.setServiceAble(name, 'N'));
    accepted(await publications.retire(name));
    accepted(await videos.delete(accountId, 'film'));
    const published = `${packageId}/film`;
    const [made, ...others] = (await notedOf(accountId)).slice(2);
    expect(made).toEqual([
      'VIDEO_CREATED',
      'film',
      null,
      expect.objectContaining({ folderId, title: 'Film', createdAt: expect.stringMatching(/Z$/) }),
    ]);
    expect(others).toEqual([
      ['VIDEO_CHANGED', 'film', { title: 'Film', cid: null }, { title: 'Movie', cid: 'c' }],
      ['THUMBNAILS_REPLACED', 'film', { urls: [] }, { urls, selected: 0 }],
      ['THUMBNAIL_SELECTED', 'film', { selected: 0 }, { selected: 1 }],
      ['PUBLISHED', published, null, { videos: 1 }],
      ['PUBLICATION_CHANGED', published, { serviceAble: 'Y' }, { serviceAble: 'N' }],
      ['PUBLICATION_RETIRED', published, { videoKey, serviceAble: 'N' }, null],
      ['VIDEO_DELETED', 'film', expect.objectContaining({ title: 'Movie' }), null],
    ]);
  });

  test('covers keys, without their secrets', async () => {
    const accountId = await newAccount();
    const { keys } = catalog.as({ kind: 'COMMAND_LINE', userName: 'alice' });
    const rights = {
      scopes: ['manage', 'info:read'],
      expiresAt: new Date(clock.now() + 5_000),
    } as const;
    const first = accepted(await keys.create({ accountId, name: 'Site', ...rights }));
    const name = { accountId, keyId: first.keyId };
    accepted(await keys.rename(name, 'Shop'));
    accepted(await keys.rename(name, 'Shop'));
    const next = accepted(await keys.rotate(name, 1_000));
    accepted(await keys.revoke(name));
    accepted(await keys.revoke(name));
    const noted = await notedOf(accountId);
    const object = String(first.keyId);
    const shown = { scopes: rights.scopes, expiresAt: rights.expiresAt.toISOString() };
    const expiresAt = new Date(clock.now() + 1_000).toISOString();
    expect(noted).toEqual([
      ['KEY_CREATED', object, null, { name: 'Site', ...shown }],
      ['KEY_CHANGED', object, { name: 'Site' }, { name: 'Shop' }],
      ['KEY_ROTATED', object, { expiresAt: shown.expiresAt }, { expiresAt, newKeyId: next.keyId }],
      [
        'KEY_REVOKED',
        object,
        { name: 'Shop', ...shown, scopes: ['info:read', 'manage'], expiresAt },
        null,
      ],
    ]);
    for (const { secret } of [first, next]) expect(JSON.stringify(noted)).not.toContain(secret);
  });

  test('has one entry for a batch of an import, and none for one that was there', async () => {
    const { accountId, folderId, packageId } = await addLibrary(ours);
    const film = (accessKey: string, title: string) => ({ accessKey, folderId, title });
    const put = async (...batch: VideoToPut[]) => {
      for (const result of await ours.videos.putMany(accountId, batch)) accepted(result);
    };
    await put(film('b', 'b'), film('c', 'c'));
    await put(film('b', 'b'), film('c', 'c'));
    await put(film('a', 'a'), film('b', 'b'), film('c', 'c'));
    await put(film('a', 'Film'), film('b', 'Film'), film('c', 'Film'));
    await put(film('a', 'Movie'));
    const thumbnailUrl = 'https://a.example/0.jpg';
    await put({ ...film('a', 'Movie'), thumbnailUrl });
    for (const accessKeys of [['a', 'b'], ['b', 'a', 'c', 'b'], ['c']]) {
      await ours.publications.publishMany(accountId, packageId, accessKeys);
    }
    expect((await notedOf(accountId)).slice(2)).toEqual([
      ['VIDEOS_IMPORTED', null, null, { created: 2, changed: 0 }],
      ['VIDEO_CREATED', 'a', null, expect.objectContaining({ title: 'a' })],
      ['VIDEOS_IMPORTED', null, null, { created: 0, changed: 3 }],
      ['VIDEO_CHANGED', 'a', { title: 'Film' }, { title: 'Movie' }],
      ['VIDEO_CHANGED', 'a', {}, { thumbnailUrl }],
      ['PUBLISHED', String(packageId), null, { videos: 2 }],
      ['PUBLISHED', `${packageId}/c`, null, { videos: 1 }],
    ]);
  });

  test('has what a write did that may be repeated, once, and nothing if it faults', async () => {
    const accountId = await newAccount();
    const name = { accountId, actor: 'KEY:7', path: '/folders', idempotencyKey: 'once' };
    const add = (idempotencyKey: string, fails = false) =>
      ours.idempotentWrites.once({ ...name, idempotencyKey }, '', async ({ folders }) => {
        accepted(await folders.create(accountId, { folderName: 'Films' }));
        if (fails) throw new Error('failed');
        return new Uint8Array();
      });
    await expect(add('fails', true)).rejects.toThrow('failed');
    await add('once');
    await add('once');
    const [newest, ...older] = await catalog.audit.list(accountId, all);
    expect(newest).toMatchObject({ action: 'FOLDER_CREATED', actor: 'KEY:7' });
    expect(older.map(({ action }) => action)).toEqual(['ACCOUNT_CREATED']);
  });

  test('has nothing of a change that is refused or changes nothing', async () => {
    const accountId = await newAccount();
    const folderName = 'Films';
    const { folderId } = accepted(await ours.folders.create(accountId, { folderName }));
    accepted(await ours.folders.rename(accountId, folderId, { folderName }));
    accepted(await ours.accounts.change(accountId, {}));
    expect((await ours.packages.delete(accountId, 999_999)).ok).toBe(false);
    expect(await notedOf(accountId)).toHaveLength(1);
  });

  test('has nothing of a change that is undone half-way', async () => {
    const accountId = await newAccount();
    const database = openDatabase(location, clock);
    const change = { action: 'ACCOUNT_CHANGED', accountId, after: { name: 'Other' } } as const;
    const undone = database.kysely.transaction().execute(async (transaction) => {
      await noteChange(database, transaction, change);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await expect(noteChange(database, database.kysely, change)).rejects.toThrow('one transaction');
    await database.kysely.destroy();
    expect(await notedOf(accountId)).toEqual([]);
  });

  test('cuts long texts and lists short', async () => {
    const accountId = await newAccount();
    const sites = Array.from({ length: 21 }, (_, index) => `https://site${index}.example`);
    for (const packageName of ['x'.repeat(200), `${'x'.repeat(199)}🎬`]) {
      accepted(await ours.packages.create(accountId, { packageName, allowedOrigins: sites }));
    }
    const [, cut] = (await notedOf(accountId)).map(([, , , after]) => after);
    expect(cut).toEqual({
      packageName: `${'x'.repeat(199)}\ufffd…`,
      packageType: 'VOD',
      signing: 'open',
      allowedOrigins: sites.slice(0, 20),
    });
  });

  test('is read newest first, by page, by time, by action and by actor', async () => {
    const accountId = await newAccount();
    const begin = clock.now();
    for (const name of ['one', 'two', 'three', 'four']) {
      const by = name === 'three' ? catalog : ours;
      accepted(await by.folders.create(accountId, { folderName: name }));
      if (name !== 'one') clock.advance(10);
    }
    const named = async (query: Parameters<Catalog['audit']['list']>[1]) => {
      const entries = await catalog.audit.list(accountId, query);
      return entries.map(({ after }) => after?.folderName ?? after?.name);
    };
    expect(await named(all)).toEqual(['four', 'three', 'two', 'one', 'Studio']);
    const [, , second] = await catalog.audit.list(accountId, { limit: 3 });
    const olderThan = { atMs: second?.at.getTime() ?? 0, auditId: second?.auditId ?? 0 };
    expect(await named({ limit: 1, olderThan })).toEqual(['one']);
    expect(await named({ ...all, from: new Date(begin + 10) })).toEqual(['four', 'three']);
    expect(await named({ ...all, to: new Date(begin + 10) })).toEqual(['two', 'one', 'Studio']);
    expect(await named({ ...all, action: 'ACCOUNT_CREATED' })).toEqual(['Studio']);
    expect(await named({ ...all, actor: 'SERVICE' })).toEqual(['three', 'Studio']);
    expect(await named({ ...all, actor: 'KEY:7', limit: 2 })).toEqual(['four', 'two']);
  });

  test('is of the own account alone', async () => {
    const accountId = await newAccount();
    await newAccount();
    expect(await catalog.audit.list(accountId, all)).toHaveLength(1);
  });

  /** Adds entries of one action, a millisecond apart, the newest of them now. */
  async function fill(accountId: number | 'service', action: string, count: number) {
    const { kysely } = openDatabase(location, clock);
    const [into, id] =
      accountId === 'service'
        ? [sql`service_audit (`, sql``]
        : [sql`audit (account_id, `, sql`cast(${accountId} as bigint), `];
    await sql`with recursive numbers (number) as
        (select 1 union all select number + 1 from numbers where number < ${count})
      insert into ${into} at_ms, actor, actor_name, action, object)
      select ${id} cast(${clock.now() - count} as bigint) + number, 'SERVICE', '', ${action}, number
      from numbers`.execute(kysely);
    await kysely.destroy();
  }

  const purgeAll = async (keptMs: number) => {
    clock.advance(hourMs);
    while ((await catalog.audit.purge(keptMs)) > 0);
  };
  const oldestOf = async (accountId: number, action: 'VIDEO_CREATED' | 'KEY_CREATED') => {
    const entries = await catalog.audit.list(accountId, { action, limit: 200_000 });
    return [entries.length, entries.at(-1)?.object];
  };

  test('keeps entries for a time, and deletes none before', async () => {
    const accountId = await newAccount();
    await fill(accountId, 'VIDEO_CREATED', 250);
    await fill(accountId, 'KEY_CREATED', 1);
    await purgeAll(hourMs + 250);
    expect(await oldestOf(accountId, 'VIDEO_CREATED')).toEqual([250, '1']);
    clock.advance(-hourMs);
    await purgeAll(hourMs + 10);
    expect(await oldestOf(accountId, 'VIDEO_CREATED')).toEqual([10, '241']);
    expect(await oldestOf(accountId, 'KEY_CREATED')).toEqual([1, '1']);
  });

  test('the database refuses to delete what the purge has not come to', async () => {
    const accountId = await newAccount();
    await fill(accountId, 'VIDEO_CREATED', 2);
    await purgeAll(hourMs + 1);
    const { kysely } = openDatabase(location, clock);
    const remove = (action: string) =>
      sql`delete from audit where account_id = ${accountId} and action = ${action}`.execute(kysely);
    for (const action of ['VIDEO_CREATED', 'ACCOUNT_CREATED']) {
      await expect(remove(action)).rejects.toThrow('only ever added to');
    }
    await kysely.destroy();
    expect(await oldestOf(accountId, 'VIDEO_CREATED')).toEqual([1, '2']);
  });

  test('keeps the newest 100,000 of each action of an account', async () => {
    const [accountId, otherId] = [await newAccount(), await newAccount()];
    await fill(accountId, 'KEY_CREATED', 1);
    clock.advance(100_150);
    await fill(accountId, 'VIDEO_CREATED', 100_150);
    await fill(otherId, 'VIDEO_CREATED', 1);
    await purgeAll(Number.MAX_SAFE_INTEGER);
    expect(await oldestOf(accountId, 'VIDEO_CREATED')).toEqual([100_000, '151']);
    expect(await oldestOf(accountId, 'KEY_CREATED')).toEqual([1, '1']);
    expect(await oldestOf(otherId, 'VIDEO_CREATED')).toEqual([1, '1']);
  });

  test('keeps the newest 100,000 of each action of the service, and the database all others', async () => {
    await fill('service', 'ACCOUNT_CLOSED', 1);
    clock.advance(100_150);
    await fill('service', 'SIGN_IN_REFUSED', 100_150);
    await purgeAll(Number.MAX_SAFE_INTEGER);
    const entries = await catalog.audit.listOfService({ limit: 200_000 });
    const oldestOfService = (action: string) => {
      const kept = entries.filter((entry) => entry.action === action);
      return [kept.length, kept.at(-1)?.object];
    };
    expect(oldestOfService('SIGN_IN_REFUSED')).toEqual([100_000, '151']);
    expect(oldestOfService('ACCOUNT_CLOSED')).toEqual([1, '1']);
    const { kysely } = openDatabase(location, clock);
    const remove = sql`delete from service_audit where action = 'ACCOUNT_CLOSED'`.execute(kysely);
    await expect(remove).rejects.toThrow('only ever added to');
    await kysely.destroy();
  });

  test('the database refuses to alter what is of the service', async () => {
    await newAccount();
    const before = await catalog.audit.listOfService(all);
    const { kysely } = openDatabase(location, clock);
    for (const text of ["update service_audit set actor_name = 'x'", 'delete from service_audit']) {
      await expect(sql.raw(text).execute(kysely)).rejects.toThrow('only ever added to');
    }
    await kysely.destroy();
    expect(await catalog.audit.listOfService(all)).toEqual(before);
  });

  test.each(["update audit set actor_name = 'x'", 'delete from audit'])(
    'the database refuses: %s',
    async (statement) => {
      const accountId = await newAccount();
      const { kysely } = openDatabase(location, clock);
      await expect(sql.raw(statement).execute(kysely)).rejects.toThrow('only ever added to');
      await kysely.destroy();
      expect(await catalog.audit.list(accountId, all)).toHaveLength(1);
    },
  );
});
