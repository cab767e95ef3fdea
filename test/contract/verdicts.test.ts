import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog, Decision, Verdict } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const [one, other] = ['ADDRESS:2026-11-20:00ff', 'VIDEO:2026-11-20:17'];

describeKinds(catalogStores(), 'verdicts on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  beforeEach(async () => {
    accountId = await addAccount(catalog);
  });
  afterAll(() => store.stop());

  const decide = async (suspect: string, verdict: Verdict, by = catalog): Promise<Decision> =>
    accepted(await by.verdicts.decide({ accountId, suspect }, verdict));

  /** Of the account of this test. */
  async function current(from = catalog) {
    const { accepted, epochs } = await from.verdicts.current();
    const ours = accepted.filter((suspect) => suspect.accountId === accountId);
    return { accepted: ours.map(({ suspect }) => suspect), epoch: epochs.get(accountId) ?? 0 };
  }

  async function unsummed(): Promise<Decision[]> {
    const all = await catalog.verdicts.unsummed();
    return all.filter((decision) => decision.accountId === accountId);
  }

  test('the epoch rises with each verdict that changes what counts, and only then', async () => {
    await decide(one, 'refused');
    expect(await current()).toEqual({ accepted: [], epoch: 0 });
    await decide(one, 'accepted');
    expect(await current()).toEqual({ accepted: [one], epoch: 1 });
    await decide(other, 'accepted');
    await decide(one, 'accepted');
    expect(await current()).toEqual({ accepted: [one, other], epoch: 2 });
    await decide(one, 'refused');
    expect(await current()).toEqual({ accepted: [other], epoch: 3 });
    await decide(one, 'refused');
    expect(await current()).toEqual({ accepted: [other], epoch: 3 });
    await decide(one, 'accepted');
    await decide(one, 'refused');
    expect(await current()).toEqual({ accepted: [other], epoch: 5 });
  });

  test('the epoch rises by what a repair of sums needs, and the audit says so', async () => {
    accepted(await catalog.verdicts.raiseEpoch(accountId, 7));
    expect(await current()).toEqual({ accepted: [], epoch: 7 });
    const [entry] = await catalog.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({ action: 'SUMS_REPAIRED', after: { epochs: 7 } });
    const refusal = await catalog.verdicts.raiseEpoch(987_654, 1);
    expect(refusal).toEqual({ ok: false, reason: { code: 'NO_ACCOUNT' } });
  });

  test('names of facts are known if they were ever a publication of the account', async () => {
    const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'F' }));
    const video = accepted(await catalog.videos.create(accountId, { folderId, title: 'T' }));
    const fields = { packageName: 'P', packageType: 'VOD' as const };
    const { packageId } = accepted(await catalog.packages.create(accountId, fields));
    const name = { accountId, packageId, accessKey: video.accessKey };
    accepted(await catalog.publications.publish(name));
    accepted(await catalog.publications.retire(name));
    const { videoId } = video;
    const others = [
      { packageId, videoId: videoId + 1 },
      { packageId: packageId + 1, videoId },
    ];
    const all = [{ packageId, videoId }, ...others];
    expect(await catalog.upkeep.unknownOf(accountId, all)).toEqual(others);
    expect(await catalog.upkeep.unknownOf(accountId + 1, all)).toEqual(all);
    expect(await catalog.upkeep.damage()).toEqual([]);
  });

  test('says who decided what, when, and the audit too', async () => {
    const key = { kind: 'KEY', keyId: 7, keyName: 'ours', address: '192.0.2.1' } as const;
    clock.advance(1);
    const decision = await decide(one, 'accepted', catalog.as(key));
    expect(decision).toEqual({
      ...{ accountId, suspect: one, verdict: 'accepted', at: new Date(clock.now()) },
      ...{ actor: 'KEY:7', actorName: 'ours', decisions: 1 },
    });
    clock.advance(1);
    expect(await decide(one, 'accepted')).toEqual(decision);
    expect(await catalog.verdicts.list(accountId)).toEqual([decision]);
    await decide(one, 'refused');
    const entries = await catalog.audit.list(accountId, { limit: 10 });
    expect(entries.map(({ actor, action, object }) => [actor, action, object])).toEqual([
      ['SERVICE', 'SUSPECT_REFUSED', one],
      ['KEY:7', 'SUSPECT_ACCEPTED', one],
      ['SERVICE', 'ACCOUNT_CREATED', String(accountId)],
    ]);
  });

  test('another process sees a verdict at once', async () => {
    const beside = await store.open(location, clock);
    expect(await current(beside)).toEqual({ accepted: [], epoch: 0 });
    await decide(one, 'accepted');
    expect(await current(beside)).toEqual({ accepted: [one], epoch: 1 });
    await decide(one, 'refused');
    expect(await current(beside)).toEqual({ accepted: [], epoch: 2 });
  });

  test('decisions stay unsummed until it is noted, even those decided anew meanwhile', async () => {
    const first = await decide(one, 'accepted');
    expect(await unsummed()).toEqual([first]);
    const second = await decide(one, 'refused');
    await catalog.verdicts.noteSummed([first]);
    expect(await unsummed()).toEqual([second]);
    await catalog.verdicts.noteSummed([second]);
    expect(await unsummed()).toEqual([]);
    await decide(one, 'refused');
    expect(await unsummed()).toEqual([]);
  });

  test('many at once: each epoch is counted', async () => {
    const suspects = Array.from({ length: 8 }, (_, number) => `VIDEO:2026-11-20:${number}`);
    const each = (verdict: Verdict) => Promise.all(suspects.map((name) => decide(name, verdict)));
    await each('accepted');
    await each('refused');
    expect(await current()).toEqual({ accepted: [], epoch: 16 });
  });

  test('an account that does not exist has none', async () => {
    const name = { accountId: accountId + 1_000, suspect: one };
    expect(await catalog.verdicts.decide(name, 'accepted')).toEqual({
      ok: false,
      reason: { code: 'NO_ACCOUNT' },
    });
  });
});
