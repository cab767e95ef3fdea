/** An account that is closed: who and what is turned away, on every node, and that it comes back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const place = { device: 'Firefox, Linux', address: '192.0.2.1', country: 'KR' };
const owner = { role: 'owner' as const, packageIds: undefined };

describeKinds(catalogStores(), 'closed accounts on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let made = 0;
  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  afterAll(() => store.stop());

  const addPerson = async (isOperator = false) => {
    made += 1;
    const person = { email: `p${made}@example.com`, name: 'Kim', language: 'en' as const };
    return accepted(await catalog.people.create({ ...person, isOperator })).personId;
  };
  const codeOf = (result: { ok: boolean; reason?: unknown }) =>
    result.ok ? 'ok' : (result.reason as { code: string }).code;

  /** An account with everything by which somebody or something comes in. */
  async function addEntered() {
    const { accountId, folderId, packageId } = await addLibrary(catalog);
    const { keyId, secret } = accepted(
      await catalog.keys.create({ accountId, scopes: ['stats:read'] }),
    );
    const ofKey = (await catalog.sessions.begin(keyId)).token;
    const personId = await addPerson();
    accepted(await catalog.memberships.put({ accountId, personId, ...owner }));
    const ofPerson = (await catalog.sessions.beginFor(personId, place)).token;
    const { token: share } = accepted(
      await catalog.shares.create({
        ...{ accountId, name: 'Board', filters: '', origins: [], expiresAt: undefined },
        ...{ period: { lastDays: 7 }, compare: 'none', timeZone: 'UTC' },
        ...{ accessKey: undefined, packageId: undefined },
      }),
    );
    const { accessKey } = accepted(
      await catalog.videos.create(accountId, {
        folderId,
        accessKey: `film${accountId}`,
        title: 'A',
      }),
    );
    const published = { accountId, packageId, accessKey };
    const { videoKey } = accepted(await catalog.publications.publish(published));
    const invited = { accountId, email: `lee${accountId}@example.com`, ...owner };
    const invitation = accepted(await catalog.invitations.create(invited)).token;
    const enter = async (node: Catalog) => ({
      key: (await node.keys.authenticate(secret)) !== undefined,
      sessionOfKey: (await node.sessions.find(ofKey)) !== undefined,
      member: (await node.sessions.find(ofPerson)) !== undefined,
      share: (await node.shares.find(share.start + share.secret)) !== undefined,
      player: (await node.publications.identify([videoKey])).size > 0,
      app: (await node.publications.identifyWithin(accountId, accessKey, packageId)) !== undefined,
      invitation: (await node.invitations.find(invitation)) !== undefined,
    });
    return { accountId, personId, videoKey, enter };
  }

  const everything = {
    ...{ key: true, sessionOfKey: true, member: true, share: true, player: true, app: true },
    invitation: true,
  };
  const nothing = {
    ...{ key: false, sessionOfKey: false, member: false, share: false, player: false, app: false },
    invitation: false,
  };

  test('nobody and nothing comes in, on another node after a second', async () => {
    const other = await store.open(location, clock);
    const { accountId, videoKey, enter } = await addEntered();
    const beside = await addEntered();
    expect([await enter(catalog), await enter(other)]).toEqual([everything, everything]);
    accepted(await catalog.accounts.close(accountId));
    expect(await enter(catalog)).toEqual(nothing);
    clock.advance(1_000);
    expect(await enter(other)).toEqual(nothing);
    // Players stop, as of a video that was taken out.
    expect(await catalog.publications.isRetired(videoKey)).toBe(true);
    expect(await beside.enter(other)).toEqual(everything);
  });

  test('nothing is added to it, and nobody joins it', async () => {
    const { accountId } = await addEntered();
    const personId = await addPerson();
    accepted(await catalog.accounts.close(accountId));
    const added = [
      await catalog.keys.create({ accountId, scopes: ['manage'] }),
      await catalog.folders.create(accountId, { folderName: 'More' }),
      await catalog.memberships.put({ accountId, personId, ...owner }),
      await catalog.invitations.create({ accountId, email: 'a@example.com', ...owner }),
      await catalog.accounts.change(accountId, { name: 'Other' }),
      await catalog.accounts.close(accountId),
    ];
    expect(added.map(codeOf)).toEqual(added.map(() => 'NO_ACCOUNT'));
  });

  test('whoever is a member elsewhere stays signed in there, and so does an operator', async () => {
    const { accountId } = await addEntered();
    const elsewhere = await addLibrary(catalog);
    const [both, operator] = [await addPerson(), await addPerson(true)];
    for (const personId of [both, operator]) {
      accepted(await catalog.memberships.put({ accountId, personId, ...owner }));
    }
    const there = { accountId: elsewhere.accountId, personId: both, ...owner };
    accepted(await catalog.memberships.put(there));
    const tokens = [both, operator].map((id) => catalog.sessions.beginFor(id, place));
    accepted(await catalog.accounts.close(accountId));
    const found = await Promise.all(
      (await Promise.all(tokens)).map(({ token }) => catalog.sessions.find(token)),
    );
    expect(found).toMatchObject([
      { memberships: [{ accountId: elsewhere.accountId }] },
      { memberships: [] },
    ]);
  });

  test('it is listed, and is open again with all it had but the sessions that ended', async () => {
    const { accountId, enter } = await addEntered();
    expect(codeOf(await catalog.accounts.reopen(accountId))).toBe('NO_ACCOUNT');
    accepted(await catalog.accounts.close(accountId));
    const listed = (await catalog.accounts.list()).find((one) => one.accountId === accountId);
    expect(listed?.closedAt).toEqual(new Date(clock.now()));
    accepted(await catalog.accounts.reopen(accountId));
    expect(await enter(catalog)).toEqual({ ...everything, member: false });
    const [reopened, closed] = await catalog.audit.listOfService({ limit: 2 });
    expect([closed, reopened]).toMatchObject([
      { action: 'ACCOUNT_CLOSED', object: String(accountId), before: { name: 'Studio' } },
      { action: 'ACCOUNT_REOPENED', object: String(accountId) },
    ]);
    const [newest] = await catalog.audit.list(accountId, { limit: 1 });
    expect(newest).toMatchObject({ action: 'ACCOUNT_REOPENED' });
  });

  test('its pictures are closed, but for those that an open account has as well', async () => {
    const [own, both] = ['own', 'both'].map((name) => `${name.padEnd(22, '_')}.jpg`) as [
      string,
      string,
    ];
    const addPictures = async (...names: string[]) => {
      const { accountId, folderId } = await addLibrary(catalog);
      const { accessKey } = accepted(
        await catalog.videos.create(accountId, { folderId, title: 'A' }),
      );
      // Of an import while the service had another URL.
      const given = names.map((name) => ({ url: `http://former.example/content/${name}` }));
      accepted(await catalog.thumbnails.replace(accountId, accessKey, given));
      return accountId;
    };
    const accountId = await addPictures(own, both);
    const other = await addPictures(both);
    const areClosed = async () => [
      await catalog.thumbnails.isClosed(own),
      await catalog.thumbnails.isClosed(both),
      await catalog.thumbnails.isClosed('of_nobody_____________.jpg'),
    ];
    expect(await areClosed()).toEqual([false, false, false]);
    accepted(await catalog.accounts.close(accountId));
    expect(await areClosed()).toEqual([true, false, false]);
    accepted(await catalog.accounts.close(other));
    expect(await areClosed()).toEqual([true, true, false]);
  });

  test('messages of its alerts wait until it is open again', async () => {
    const { accountId } = await addEntered();
    const rule = accepted(
      await catalog.rules.create({
        ...{ accountId, name: 'Quiet', terms: { kind: 'silence', minutes: 30, filters: null } },
        ...{ url: undefined, sealedSecret: undefined, mailTo: ['kim@example.com'] },
      }),
    );
    await catalog.rules.conclude(rule, {
      ...{ judgedThrough: new Date(clock.now() + 1), isFiring: true },
      message: { type: 'alert.firing', body: '{}' },
    });
    accepted(await catalog.accounts.close(accountId));
    expect(await catalog.deliveries.claim()).toEqual([]);
    accepted(await catalog.accounts.reopen(accountId));
    expect(await catalog.deliveries.claim()).toMatchObject([{ accountId, attempts: 1 }]);
  });

  test('whoever is a member by a claim still is one when it is open again', async () => {
    const { accountId } = await addEntered();
    const personId = await addPerson();
    const claimed = { accountId, ...owner };
    accepted(await catalog.memberships.follow(personId, [claimed]));
    accepted(await catalog.accounts.close(accountId));
    accepted(await catalog.memberships.follow(personId, [claimed]));
    accepted(await catalog.accounts.reopen(accountId));
    const members = await catalog.memberships.list(accountId);
    expect(members.map((member) => member.personId)).toContain(personId);
  });

  test('a person of it can be removed, the last owner too', async () => {
    const { accountId, personId } = await addEntered();
    accepted(await catalog.accounts.close(accountId));
    accepted(await catalog.people.remove(personId));
    expect(await catalog.memberships.list(accountId)).toEqual([]);
  });
});
