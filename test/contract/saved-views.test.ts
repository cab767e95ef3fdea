/** Views of the dashboard under a name: whose they are, and for how long. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { mostSavedViews } from '../../src/catalog/refusal.ts';
import { catalogSeenBy } from '../../src/operations/member-catalog.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { MemberRole } from '../../src/vocabulary/member-roles.ts';
import { addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addPerson } from '../support/people.ts';

describeKinds(catalogStores(), 'saved views on $name', (store) => {
  const clock = manualClock();
  let catalog: Catalog;
  let accountId: number;
  let packageId: number;

  beforeAll(() => store.start());
  afterAll(() => store.stop());
  beforeEach(async () => {
    catalog = await openCatalog({ location: await store.newLocation(), clock });
    ({ accountId, packageId } = await addLibrary(catalog));
    return () => catalog.close();
  });

  /** What is answered to a member, and the catalog as they change it. */
  async function addMember(role: MemberRole, packageIds?: readonly number[]) {
    const standing = { accountId, role, packageIds };
    const { personId } = await addPerson(catalog, standing);
    const caller = {
      ...standing,
      ...{ personId, personName: 'Kim', memberSince: new Date(clock.now()) },
    };
    const actor = { kind: 'PERSON', personId, personName: 'Kim', address: '192.0.2.1' } as const;
    const { savedViews } = catalogSeenBy(caller as never, catalog.as(actor));
    const save = (name: string, isShared = false) =>
      savedViews.create({ accountId, name, page: '/', query: 'period=7d', isShared });
    const names = async () => (await savedViews.list(accountId)).map(({ name }) => name);
    return { personId, savedViews, save, names };
  }

  test('are seen by whoever saved them, or by all if they are shared, but for narrowed members', async () => {
    const [owner, manager, analyst, narrowed] = await Promise.all([
      addMember('owner'),
      addMember('manager'),
      addMember('analyst'),
      addMember('analyst', [packageId]),
    ]);
    accepted(await owner.save('B, of the owner'));
    accepted(await manager.save('A, of all', true));
    accepted(await analyst.save('C, of the analyst'));
    accepted(await narrowed.save('D, of the narrowed one'));
    expect(await owner.names()).toEqual(['A, of all', 'B, of the owner']);
    expect(await manager.names()).toEqual(['A, of all']);
    expect(await analyst.names()).toEqual(['A, of all', 'C, of the analyst']);
    expect(await narrowed.names()).toEqual(['D, of the narrowed one']);
    expect((await catalog.savedViews.list(accountId)).map(({ name }) => name)).toEqual([
      'A, of all',
    ]);
  });

  test('are changed and deleted by whoever they are of', async () => {
    const [owner, manager] = [await addMember('owner'), await addMember('manager')];
    const { viewId } = accepted(await manager.save('Mine'));
    const name = { accountId, viewId };
    const missing = { ok: false, reason: { code: 'NO_VIEW' } };
    expect(await owner.savedViews.change(name, { name: 'Ours' })).toMatchObject(missing);
    expect(await owner.savedViews.delete(name)).toMatchObject(missing);
    const changed = accepted(
      await manager.savedViews.change(name, { name: 'Ours', isShared: true }),
    );
    expect(changed).toMatchObject({ name: 'Ours', personId: undefined, query: 'period=7d' });
    const [entry] = await catalog.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({
      ...{ action: 'VIEW_CHANGED', object: String(viewId), actor: `PERSON:${manager.personId}` },
      before: { name: 'Mine', isShared: false },
      after: { name: 'Ours', isShared: true },
    });
    const taken = accepted(await owner.savedViews.change(name, { isShared: false }));
    expect(taken.personId).toBe(owner.personId);
    expect(await manager.names()).toEqual([]);
    accepted(await owner.savedViews.delete(name));
    expect(await owner.names()).toEqual([]);
  });

  test('that are shared are not an analyst’s to make, change or delete', async () => {
    const [manager, analyst] = [await addMember('manager'), await addMember('analyst')];
    const narrowed = await addMember('analyst', [packageId]);
    const { viewId } = accepted(await manager.save('Ours', true));
    const own = accepted(await analyst.save('Mine'));
    const name = { accountId, viewId };
    const forbidden = { code: 'FORBIDDEN' };
    await expect(analyst.save('Theirs', true)).rejects.toMatchObject(forbidden);
    await expect(narrowed.save('Theirs', true)).rejects.toMatchObject(forbidden);
    await expect(analyst.savedViews.change(name, { name: 'x' })).rejects.toMatchObject(forbidden);
    await expect(analyst.savedViews.delete(name)).rejects.toMatchObject(forbidden);
    const share = analyst.savedViews.change({ ...name, viewId: own.viewId }, { isShared: true });
    await expect(share).rejects.toMatchObject(forbidden);
    expect(await narrowed.savedViews.delete(name)).toMatchObject({ reason: { code: 'NO_VIEW' } });
    expect(await analyst.names()).toEqual(['Mine', 'Ours']);
  });

  test('that a key saves are of the account', async () => {
    const made = await catalog.savedViews.create({
      ...{ accountId, name: 'Of a key', page: '/quality', query: '', isShared: false },
    });
    expect(accepted(made).personId).toBeUndefined();
    expect(await (await addMember('analyst')).names()).toEqual(['Of a key']);
  });

  test('of a person go with their membership, and those that they shared stay', async () => {
    await addMember('owner');
    const manager = await addMember('manager');
    accepted(await manager.save('Mine'));
    accepted(await manager.save('Ours', true));
    const { personId } = manager;
    accepted(await catalog.memberships.remove({ accountId, personId }));
    const left = await catalog.savedViews.list(accountId, personId);
    expect(left.map(({ name }) => name)).toEqual(['Ours']);
  });

  test('that somebody saves while they are removed keep nobody from being deleted', async () => {
    const { personId, savedViews } = await addMember('analyst');
    accepted(await catalog.memberships.remove({ accountId, personId }));
    const late = { accountId, name: 'Late', page: '/', query: '', isShared: false };
    accepted(await savedViews.create(late));
    accepted(await catalog.people.remove(personId));
    expect(await catalog.savedViews.list(accountId, personId)).toEqual([]);
  });

  test('all go when the whole account is erased', async () => {
    const { personId, save } = await addMember('owner');
    accepted(await save('Mine'));
    const target = { accountId, kind: 'playback', viewer: '', views: [], videoId: 0 } as const;
    const until = { packageId: 0, untilMs: clock.now() + 1 };
    accepted(await catalog.erasures.record({ ...target, ...until }, { views: 1, facts: 1 }));
    expect(await catalog.savedViews.list(accountId, personId)).toEqual([]);
  });

  test('are bounded for each person, and for the account', async () => {
    const [one, other] = [await addMember('manager'), await addMember('manager')];
    for (let made = 0; made < mostSavedViews; made += 1) {
      accepted(await one.save(`own ${made}`));
      accepted(await one.save(`shared ${made}`, true));
    }
    const full = { ok: false, reason: { code: 'TOO_MANY_VIEWS' } };
    expect(await one.save('one more')).toMatchObject(full);
    expect(await other.save('one more', true)).toMatchObject(full);
    const { viewId } = accepted(await other.save('their first'));
    const name = { accountId, viewId };
    expect(await other.savedViews.change(name, { isShared: true })).toMatchObject(full);
    accepted(await other.savedViews.change(name, { name: 'renamed' }));
  });
});
