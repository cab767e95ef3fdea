/** The state of scheduled exports in the catalog: one process carries them out at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, everyDay, runLeaseMs } from '../../src/catalog/catalog.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const dayMs = 86_400_000;

describeKinds(catalogStores(), 'scheduled exports on $name', (store) => {
  const clock = manualClock();
  let catalog: Catalog;
  /** Another process on the same database. */
  let other: Catalog;
  let nodes: readonly Catalog[];
  let accountId: number;
  beforeAll(async () => {
    ({ catalog, other, nodes } = await store.startWithTwo(clock));
    accountId = await addAccount(catalog);
  });
  afterAll(() => store.stop());

  test('are held by one of several processes, which all see the same', async () => {
    expect(await catalog.exports.state()).toBeUndefined();
    const held = await Promise.all(
      [...nodes, ...nodes].map(({ exports }, node) => exports.hold(`node ${node}`)),
    );
    expect(held.filter((state) => state !== undefined)).toHaveLength(1);
    const holder = `node ${held.findIndex((state) => state !== undefined)}`;
    const begun = { afterMs: clock.now(), failures: 0, target: '', succeededAtMs: undefined };
    expect(await other.exports.state()).toMatchObject(begun);
    // Renewed, it lasts on.
    clock.advance(runLeaseMs - 1);
    expect(await catalog.exports.renew(holder)).toBe(true);
    clock.advance(runLeaseMs - 1);
    expect(await other.exports.hold('another')).toBeUndefined();
    await catalog.exports.release(holder);
    expect(await other.exports.hold('another')).toBeDefined();
    clock.advance(runLeaseMs);
    expect(await catalog.exports.hold('a third')).toBeDefined();
  });

  test('are renewed by a holder that is late, unless others held them meanwhile', async () => {
    clock.advance(runLeaseMs);
    expect(await catalog.exports.renew('a third')).toBe(true);
    expect(await other.exports.hold('a fourth')).toBeUndefined();
    clock.advance(runLeaseMs);
    expect(await other.exports.hold('a fourth')).toBeDefined();
    expect(await catalog.exports.renew('a third')).toBe(false);
    await other.exports.release('a fourth');
    expect(await catalog.exports.renew('a third')).toBe(false);
    expect(await catalog.exports.hold('a third')).toBeDefined();
  });

  test('are noted by who holds them alone', async () => {
    await catalog.exports.release('a third');
    await catalog.exports.hold('one');
    await catalog.exports.note('one', { failures: 2, error: 'e'.repeat(999), retryAtMs: 5 });
    await catalog.exports.note('one', { lookedAtMs: 7 });
    const state = await other.exports.state();
    expect(state).toMatchObject({ failures: 2, retryAtMs: 5, lookedAtMs: 7 });
    expect(state?.error).toHaveLength(300);
    await catalog.exports.note('one', { failures: 0, error: undefined });
    expect(await other.exports.state()).toMatchObject({ failures: 0, error: undefined });
    await expect(other.exports.note('two', { failures: 1 })).rejects.toThrow('has taken over');
  });

  test('days are marked as often as one likes, and done by who holds them alone', async () => {
    const days = Array.from({ length: 1_200 }, (_, day) => ({ accountId, day: day * dayMs }));
    await catalog.exports.markDue(days);
    await other.exports.markDue(days.slice(0, 3));
    expect(await other.exports.dueDays(accountId)).toEqual(days.map(({ day }) => day));
    await expect(other.exports.markDone('two', days)).rejects.toThrow('has taken over');
    await catalog.exports.markDue([{ accountId, day: everyDay }]);
    expect(await other.exports.dueDays(accountId)).toHaveLength(days.length + 1);
    await catalog.exports.markDone('one', [{ accountId, day: everyDay }, ...days.slice(2)]);
    expect(await catalog.exports.dueDays(accountId)).toEqual([0, dayMs]);
    await catalog.exports.markDue([]);
  });
});
