/** Receipts and erased names, on both databases, and what another node knows of them at once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog, Erasure } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type ErasureTarget, forEverMs } from '../../src/vocabulary/erasures.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const counts = { views: 2, facts: 5 };

describeKinds(catalogStores(), 'erasures on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let target: ErasureTarget;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  beforeEach(async () => {
    const made = accepted(await catalog.accounts.create({ name: 'Studio', timeZone: 'UTC' }));
    target = {
      ...{ accountId: made.accountId, kind: 'viewer', viewer: '9223372036854775809', views: [] },
      ...{ packageId: 0, videoId: 0, untilMs: 1_000 },
    };
  });
  afterAll(() => store.stop());

  const until = async (...names: string[]) => [
    ...(await catalog.erasures.erasedUntil(target.accountId, names)),
  ];

  test('names are known from then on, and the latest instant holds', async () => {
    const { viewer, accountId } = target;
    expect(await until(viewer)).toEqual([]);
    accepted(await catalog.erasures.record(target, counts));
    accepted(await catalog.erasures.record({ ...target, untilMs: 3_000 }, counts));
    const { receipt } = accepted(await catalog.erasures.record(target, counts));
    expect(await until(viewer, 'another')).toEqual([[viewer, 3_000]]);
    const views = Array.from({ length: 1_200 }, () => randomUUID()).sort();
    await catalog.erasures.addViews(receipt, views);
    await catalog.erasures.addViews(receipt, views);
    expect(await catalog.erasures.viewsOf(receipt)).toEqual(views);
    expect(new Map(await until(...views))).toEqual(new Map(views.map((view) => [view, forEverMs])));
    expect(await catalog.erasures.erasedUntil(accountId + 1, views)).toEqual(new Map());
  });

  test('what is erased a second time stays in the receipt of the first, which may be under way', async () => {
    const views = [randomUUID(), randomUUID()].sort();
    const ofViews = { ...target, kind: 'views', viewer: '', views } as const;
    const first = accepted(await catalog.erasures.record(ofViews, counts));
    const second = accepted(await catalog.erasures.record(ofViews, counts));
    const ofViewer = accepted(await catalog.erasures.record(target, counts));
    await catalog.erasures.addViews(ofViewer.receipt, views);
    for (const { receipt } of [first, second, ofViewer]) {
      expect(await catalog.erasures.viewsOf(receipt)).toEqual(views);
    }
    await catalog.erasures.advance(first.receipt, { from: 'waiting', to: 'summing' });
    const { erasures } = await catalog.verdicts.current();
    expect(erasures?.open.find(({ receipt }) => receipt === first.receipt)?.views).toEqual(views);
  });

  test('a state follows another once, and the epoch rises with it, in other nodes too', async () => {
    const node = await store.open(location, clock);
    const { accountId } = target;
    const { receipt } = accepted(await catalog.erasures.record(target, counts));
    const known = async () => {
      const { epochs, erasures } = await node.verdicts.current();
      const open = erasures?.open.filter((one) => one.receipt === receipt);
      return [epochs.get(accountId) ?? 0, open?.map(({ state }) => state)];
    };
    expect(await known()).toEqual([0, []]);
    const begin = { from: 'waiting', to: 'summing' } as const;
    await catalog.erasures.advance(receipt, begin, { views: 3, facts: 4 });
    await catalog.erasures.advance(receipt, begin);
    expect(await known()).toEqual([1, ['summing']]);
    await catalog.erasures.advance(receipt, { from: 'summing', to: 'deleting' });
    expect(await known()).toEqual([1, ['deleting']]);
    await catalog.erasures.advance(receipt, { from: 'deleting', to: 'done' });
    expect(await known()).toEqual([1, []]);
    const kept = await node.erasures.find(receipt);
    expect(kept).toMatchObject({
      views: 3,
      facts: 5,
      state: 'done',
      endedAt: new Date(clock.now()),
    });
  });

  test('snapshots of before are void, those of other accounts are not', async () => {
    const { accountId } = target;
    const other = accepted(await catalog.accounts.create({ name: 'Other', timeZone: 'UTC' }));
    const keep = async (of: number, asOf: Date) => {
      const requestId = randomUUID();
      const expiresAt = new Date(clock.now() + 60_000);
      const snapshot = { requestId, accountId: of, path: '/', rowCount: 1, body: Buffer.from('1') };
      const moment = { asOf, completeThrough: asOf, expiresAt };
      await catalog.snapshots.keep({ ...snapshot, ...moment }, 1_000_000);
      return async () => (await catalog.snapshots.find(requestId)) !== undefined;
    };
    const before = new Date(clock.now() - 1);
    const [own, foreign] = [await keep(accountId, before), await keep(other.accountId, before)];
    const { receipt } = accepted(await catalog.erasures.record(target, counts));
    expect([await own(), await foreign()]).toEqual([true, true]);
    await catalog.erasures.advance(receipt, { from: 'waiting', to: 'summing' });
    // What a question began before, and stores only now.
    const late = await keep(accountId, before);
    const after = await keep(accountId, new Date(clock.now()));
    expect([await own(), await foreign(), await late(), await after()]).toEqual([
      ...[false, true, false, true],
    ]);
  });

  test('the day since when facts are kept only moves on', async () => {
    const { accountId } = target;
    for (const untilMs of [5_000, 9_000, 7_000]) {
      accepted(await catalog.erasures.record({ ...target, kind: 'facts', untilMs }, counts));
    }
    const { erasures } = await catalog.verdicts.current();
    expect(erasures?.keptSince.get(accountId)).toBe(9_000);
  });

  test('facts are kept from the beginning again, once all of before is erased with its sums', async () => {
    const { accountId } = target;
    const keptSince = async () =>
      (await catalog.verdicts.current()).erasures?.keptSince.get(accountId);
    accepted(await catalog.erasures.record({ ...target, kind: 'facts', untilMs: 5_000 }, counts));
    const erase = async (untilMs: number, packageId = 0) => {
      const all = { ...target, kind: 'playback', viewer: '', packageId, untilMs } as const;
      const { receipt } = accepted(await catalog.erasures.record(all, counts));
      await catalog.erasures.advance(receipt, { from: 'waiting', to: 'summing' });
      const before = await keptSince();
      await catalog.erasures.advance(receipt, { from: 'summing', to: 'deleting' });
      return [before, await keptSince()];
    };
    expect(await erase(4_999)).toEqual([5_000, 5_000]);
    expect(await erase(5_000, 7)).toEqual([5_000, 5_000]);
    expect(await erase(5_000)).toEqual([5_000, undefined]);
  });

  test('a receipt of another copy is taken over once, and waits again', async () => {
    const elsewhere: Erasure = {
      ...{ accountId: target.accountId, kind: 'views', viewer: '', packageId: 0, videoId: 0 },
      ...{ untilMs: 1_000, receipt: randomUUID(), state: 'done', ...counts, at: new Date(5) },
      ...{ actor: 'COMMAND_LINE', actorName: 'root', endedAt: new Date(6) },
    };
    const view = randomUUID();
    expect(accepted(await catalog.erasures.takeOver(elsewhere, [view]))).toBe(true);
    expect(accepted(await catalog.erasures.takeOver(elsewhere, [view]))).toBe(false);
    expect(await catalog.erasures.list(target.accountId)).toEqual([
      { ...elsewhere, state: 'waiting', endedAt: undefined },
    ]);
    expect(await until(view)).toEqual([[view, forEverMs]]);
  });

  test('a hundred of an account may be under way', async () => {
    for (let number = 0; number < 100; number += 1) {
      accepted(await catalog.erasures.record(target, counts));
    }
    const refusal = { ok: false, reason: { code: 'TOO_MANY_ERASURES' } };
    expect(await catalog.erasures.record(target, counts)).toEqual(refusal);
    const unknown = { ...target, accountId: 999_999 };
    expect(await catalog.erasures.record(unknown, counts)).toMatchObject({
      reason: { code: 'NO_ACCOUNT' },
    });
  });
});
