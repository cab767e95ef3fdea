import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { type CatalogLocation, openDatabase } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { Fault } from '../../src/vocabulary/faults.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const dayMs = 86_400_000;
const bytes = (text: string) => new TextEncoder().encode(text);

describeKinds(catalogStores(), 'writes that may be repeated, on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;
  let keyId: number;
  let secret: string;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
    accountId = await addAccount(catalog);
    ({ keyId, secret } = accepted(await catalog.keys.create({ accountId, scopes: ['manage'] })));
  });

  afterAll(() => store.stop());

  /** Adds a folder of that name; answers its id. */
  async function addFolder(idempotencyKey: string, folderName = idempotencyKey) {
    const name = { accountId, actor: `KEY:${keyId}`, path: '/folders', idempotencyKey };
    const kept = await catalog.idempotentWrites.once(name, folderName, async (parts) => {
      const { folderId } = accepted(await parts.folders.create(accountId, { folderName }));
      return bytes(String(folderId));
    });
    return { ...kept, answer: new TextDecoder().decode(kept.answer) };
  }

  async function foldersNamed(name: string): Promise<number[]> {
    const folders = await catalog.folders.list(accountId);
    return folders.flatMap(({ folderId, folderName }) => (folderName === name ? folderId : []));
  }

  test('happen once; what was answered then is answered again', async () => {
    const first = await addFolder('once');
    expect(await addFolder('once')).toEqual(first);
    expect(await addFolder('once', 'other')).toEqual(first);
    expect(first.fingerprint).toBe('once');
    expect((await foldersNamed('once')).map(String)).toEqual([first.answer]);
    expect(await foldersNamed('other')).toEqual([]);
  });

  test('happen once also where many come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => addFolder('together')));
    expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
    expect(await foldersNamed('together')).toHaveLength(1);
  });

  test('are separate for each sender and path', async () => {
    await addFolder('apart');
    const run = async () => bytes('ran');
    for (const name of [
      { accountId, actor: 'PERSON:1', path: '/folders' },
      { accountId, actor: `KEY:${keyId}`, path: '/packages' },
    ]) {
      const kept = await catalog.idempotentWrites.once(
        { ...name, idempotencyKey: 'apart' },
        '',
        run,
      );
      expect(kept.answer).toEqual(bytes('ran'));
    }
  });

  test('leave nothing where they fault, and may be tried again', async () => {
    const name = { accountId, actor: `KEY:${keyId}`, path: '/folders', idempotencyKey: 'faulty' };
    const faulty = catalog.idempotentWrites.once(name, '', async (parts) => {
      accepted(await parts.folders.create(accountId, { folderName: 'half' }));
      throw new Fault('CONFLICT', 'No');
    });
    await expect(faulty).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await foldersNamed('half')).toEqual([]);
    await addFolder('faulty', 'whole');
    expect(await foldersNamed('whole')).toHaveLength(1);
  });

  test('of several steps are of one piece, and are noticed at once', async () => {
    const name = { accountId, actor: `KEY:${keyId}`, path: '/rotate', idempotencyKey: 'rotate' };
    expect(await catalog.keys.authenticate(secret)).toMatchObject({ keyId });
    await catalog.idempotentWrites.once(name, '', async ({ keys, videos, folders }) => {
      const { folderId } = accepted(await folders.create(accountId, { folderName: 'New' }));
      accepted(await videos.create(accountId, { folderId, title: 'Film' }));
      return bytes(accepted(await keys.rotate({ accountId, keyId }, 0)).secret);
    });
    expect(await catalog.keys.authenticate(secret)).toBeUndefined();
  });

  test('are remembered for a day', async () => {
    const first = await addFolder('daily');
    clock.advance(dayMs - 1);
    expect(await addFolder('daily')).toEqual(first);
    clock.advance(1);
    expect((await addFolder('daily')).answer).not.toBe(first.answer);
    clock.advance(dayMs);
    expect(await catalog.idempotentWrites.purge()).toBeGreaterThan(0);
    expect(await catalog.idempotentWrites.purge()).toBe(0);
  });

  test('are the newest 50,000 of an account', async () => {
    const { kysely } = openDatabase(location, clock);
    const { accountId: otherId } = accepted(
      await catalog.accounts.create({ name: 'Other', timeZone: 'UTC' }),
    );
    const fill = (ofAccount: number, actor: string, count: number) =>
      sql`with recursive numbers (number) as
          (select 1 union all select number + 1 from numbers where number < ${count})
        insert into idempotent_writes
          (account_id, actor, path, idempotency_key, fingerprint, answer, created_at_ms)
        select ${ofAccount}, ${actor}, '/filled',
          'filled ' || number, '', ${bytes('')}, cast(${clock.now() - count} as bigint) + number
        from numbers`.execute(kysely);
    await fill(accountId, 'KEY:1', 25_000);
    clock.advance(25_000);
    await fill(accountId, 'KEY:2', 25_000);
    await fill(otherId, 'KEY:1', 1);
    const countOf = async (oneId: number) => {
      const { count } = await kysely
        .selectFrom('idempotentWrites')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('accountId', '=', oneId)
        .executeTakeFirstOrThrow();
      return count;
    };
    clock.advance(1);
    const first = await addFolder('many 0');
    await addFolder('many 1');
    expect(await addFolder('many 0')).toEqual(first);
    expect(await countOf(accountId)).toBe(50_000);
    expect(await countOf(otherId)).toBe(1);
    const remaining = await kysely
      .selectFrom('idempotentWrites')
      .select('actor')
      .where('idempotencyKey', 'in', ['filled 1', 'filled 2'])
      .where('accountId', '=', accountId)
      .orderBy('idempotencyKey')
      .execute();
    expect(remaining.map((row) => row.actor)).toEqual(['KEY:2', 'KEY:2']);
    await kysely.destroy();
  });
});
