/** People, where they are members, invitations, and what each of these ends. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, Catalog, SignedPerson, Standing } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { assert } from '../../src/lib/assert.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
const place = { device: 'Firefox, Linux', address: '192.0.2.1', country: 'KR' };
const owner: Standing = { role: 'owner', packageIds: undefined };

describeKinds(catalogStores(), 'people on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;
  let packageId: number;
  let made = 0;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  beforeEach(async () => {
    ({ accountId, packageId } = await addLibrary(catalog));
  });
  afterAll(() => store.stop());

  const addPerson = async (email?: string) => {
    made += 1;
    const person = { email: email ?? `p${made}@example.com`, name: 'Kim' };
    return accepted(await catalog.people.create({ ...person, language: 'ko' }));
  };
  const addMember = async (standing: Standing) => {
    const { personId } = await addPerson();
    accepted(await catalog.memberships.put({ accountId, personId, ...standing }));
    return personId;
  };
  const beginFor = async (personId: number) =>
    (await catalog.sessions.beginFor(personId, place)).token;
  const signed = async (token: string, within = catalog) =>
    (await within.sessions.find(token)) as SignedPerson | undefined;
  /** As a session of theirs sees them. */
  const accountsOf = async (personId: number, within = catalog) => {
    const { token } = await within.sessions.beginFor(personId, place);
    return (await signed(token, within))?.memberships ?? [];
  };
  const codeOf = (result: { ok: boolean; reason?: unknown }) =>
    result.ok ? 'ok' : (result.reason as { code: string }).code;
  const actions = async () =>
    (await catalog.audit.list(accountId, { limit: 100 })).map(({ action }) => action);

  describe('a person', () => {
    test('has an address once, however it is written', async () => {
      const { personId } = await addPerson('Minji.Kim@Example.com');
      expect(await catalog.people.findByEmail('minji.kim@example.COM')).toMatchObject({
        ...{ personId, email: 'Minji.Kim@Example.com', language: 'ko', hasPassword: false },
      });
      const again = { email: 'MINJI.kim@example.com', name: 'Other', language: 'en' as const };
      expect(codeOf(await catalog.people.create(again))).toBe('EMAIL_USED');
    });

    test('may have no address, and more than one may', async () => {
      for (const name of ['One', 'Other']) {
        const person = { email: undefined, name, language: 'en' as const };
        expect(codeOf(await catalog.people.create(person))).toBe('ok');
      }
    });

    test.each(['', 'kim', 'kim@', 'a b@example.com', `${'a'.repeat(251)}@b.c`])(
      'has no address such as %j',
      async (email) => {
        const person = { email, name: 'Kim', language: 'en' as const };
        expect(codeOf(await catalog.people.create(person))).toBe('INVALID');
      },
    );

    test('may have a password and an identity, which are theirs alone', async () => {
      const [{ personId, email = '' }, other] = [await addPerson(), await addPerson()];
      const identity = { issuer: 'https://login.example', subject: `of-${personId}` };
      accepted(await catalog.people.setPassword(personId, 'a hash'));
      accepted(await catalog.people.bindIdentity(personId, identity));
      expect(await catalog.people.findByIdentity(identity)).toMatchObject({
        ...{ personId, hasPassword: true },
      });
      expect(await catalog.people.credentialsByEmail(email)).toMatchObject({
        ...{ personId, passwordHash: 'a hash' },
      });
      const taken = await catalog.people.bindIdentity(other.personId, identity);
      expect(codeOf(taken)).toBe('IDENTITY_USED');
      // The same subject of another provider is somebody else.
      const elsewhere = { ...identity, issuer: 'https://other.example' };
      expect(await catalog.people.findByIdentity(elsewhere)).toBeUndefined();
    });

    test('who sets a password by a link keeps the identities that have their address alone', async () => {
      const { personId, email = '' } = await addPerson();
      const issuer = 'https://login.example';
      const [own, foreign, nameless] = [
        { issuer, subject: `own-${personId}`, email: email.toUpperCase() },
        { issuer, subject: `foreign-${personId}`, email: 'inviter@example.com' },
        { issuer, subject: `nameless-${personId}` },
      ];
      const all = [own, foreign, nameless];
      for (const one of all) accepted(await catalog.people.bindIdentity(personId, one));
      const known = async () => {
        const found = await Promise.all(all.map((one) => catalog.people.findByIdentity(one)));
        return found.map((person) => person?.personId);
      };
      const { sessionId } = (await signed(await beginFor(personId))) as SignedPerson;
      accepted(await catalog.people.setPassword(personId, 'a hash', sessionId));
      expect(await known()).toEqual([personId, personId, personId]);
      accepted(await catalog.people.setPassword(personId, 'another'));
      expect(await known()).toEqual([personId, undefined, undefined]);
      const [noted] = await catalog.audit.listOfService({ limit: 1 });
      const unbound = [foreign, nameless].map(({ subject }) => ({ issuer, subject }));
      expect(noted).toMatchObject({ after: { unbound: expect.arrayContaining(unbound) } });
    });

    test('who is removed is nowhere a member or signed in, at any process', async () => {
      await addMember(owner);
      const personId = await addMember(owner);
      const token = await beginFor(personId);
      const other = await store.open(location, clock);
      expect(await signed(token, other)).toMatchObject({ personId });
      accepted(await catalog.people.remove(personId));
      expect(await signed(token)).toBeUndefined();
      clock.advance(1_000);
      expect(await signed(token, other)).toBeUndefined();
      expect(await catalog.people.find(personId)).toBeUndefined();
      expect(await catalog.memberships.list(accountId)).toHaveLength(1);
    });

    test('who is the last owner somewhere stays, with all they have', async () => {
      const personId = await addMember(owner);
      const another = await addLibrary(catalog);
      await catalog.memberships.put({ accountId: another.accountId, personId, ...owner });
      const second = await addPerson();
      await catalog.memberships.put({ accountId, personId: second.personId, ...owner });
      expect(codeOf(await catalog.people.remove(personId))).toBe('LAST_OWNER');
      expect(await accountsOf(personId)).toHaveLength(2);
    });
  });

  describe('a membership', () => {
    test('is one of a person in an account, with a role and packages', async () => {
      const personId = await addMember({ role: 'manager', packageIds: undefined });
      const narrowed = { accountId, personId, role: 'analyst' as const, packageIds: [packageId] };
      accepted(await catalog.memberships.put(narrowed));
      expect(await catalog.memberships.list(accountId)).toMatchObject([
        { personId, role: 'analyst', packageIds: [packageId], isByClaim: false },
      ]);
      expect(await accountsOf(personId)).toMatchObject([
        { accountId, name: 'Studio', timeZone: 'UTC', role: 'analyst', packageIds: [packageId] },
      ]);
      expect(await actions()).toEqual(expect.arrayContaining(['MEMBER_ADDED', 'MEMBER_CHANGED']));
    });

    test.each<[string, (own: number) => Standing]>([
      ['a manager', (own) => ({ role: 'manager', packageIds: [own] })],
      ['no package at all', () => ({ role: 'analyst', packageIds: [] })],
      ['a package of another account', () => ({ role: 'analyst', packageIds: [987_654] })],
    ])('does not narrow to %s', async (_, standing) => {
      const { personId } = await addPerson();
      const put = await catalog.memberships.put({ accountId, personId, ...standing(packageId) });
      expect(codeOf(put)).toBe('INVALID');
    });

    test('of the last owner neither ends nor becomes less', async () => {
      const personId = await addMember(owner);
      const name = { accountId, personId };
      expect(codeOf(await catalog.memberships.remove(name))).toBe('LAST_OWNER');
      const less = { ...name, role: 'manager' as const, packageIds: undefined };
      expect(codeOf(await catalog.memberships.put(less))).toBe('LAST_OWNER');
      await addMember(owner);
      expect(codeOf(await catalog.memberships.remove(name))).toBe('ok');
    });

    test('of two owners who leave at once one stays', async () => {
      const { nodes } = await store.startWithTwo(clock);
      const there = await addLibrary(nodes[0]);
      const people: number[] = [];
      for (const email of ['one@example.com', 'two@example.com']) {
        const person = { email, name: 'Kim', language: 'en' as const };
        const { personId } = accepted(await nodes[0].people.create(person));
        accepted(
          await nodes[0].memberships.put({ accountId: there.accountId, personId, ...owner }),
        );
        people.push(personId);
      }
      const left = await Promise.all(
        people.map((personId, index) =>
          (nodes[index] ?? nodes[0]).memberships.remove({ accountId: there.accountId, personId }),
        ),
      );
      expect(left.map(codeOf).sort()).toEqual(['LAST_OWNER', 'ok']);
    });

    test('that ends is gone from sessions: here at once, elsewhere within a second', async () => {
      await addMember(owner);
      const personId = await addMember({ role: 'analyst', packageIds: undefined });
      const token = await beginFor(personId);
      const other = await store.open(location, clock);
      expect((await signed(token, other))?.memberships).toHaveLength(1);
      const elsewhere = await addLibrary(catalog);
      const analyst = { personId, role: 'analyst' as const, packageIds: undefined };
      accepted(await catalog.memberships.put({ accountId: elsewhere.accountId, ...analyst }));
      accepted(await catalog.memberships.remove({ accountId, personId }));
      const left = [{ accountId: elsewhere.accountId }];
      expect((await signed(token))?.memberships).toMatchObject(left);
      clock.advance(1_000);
      expect((await signed(token, other))?.memberships).toMatchObject(left);
      // The last one ends the sessions.
      accepted(await catalog.memberships.remove({ accountId: elsewhere.accountId, personId }));
      expect(await signed(token)).toBeUndefined();
      clock.advance(1_000);
      expect(await signed(token, other)).toBeUndefined();
    });

    test('that is narrowed ends own shares and rules of more than its packages', async () => {
      const personId = await addMember({ role: 'analyst', packageIds: undefined });
      const acting = catalog.as({ kind: 'PERSON', personId, personName: 'Kim', address: null });
      const share = {
        ...{ accountId, filters: '', period: { lastDays: 7 }, compare: 'none' as const },
        ...{ accessKey: undefined, timeZone: undefined, origins: [], expiresAt: undefined },
      };
      const ofPackage = { ...share, name: 'Own', packageId };
      accepted(await acting.shares.create({ ...share, name: 'All', packageId: undefined }));
      accepted(await acting.shares.create(ofPackage));
      accepted(await catalog.shares.create({ ...share, name: 'Public', packageId: undefined }));
      const rule = { accountId, name: 'Quiet', url: undefined, sealedSecret: undefined };
      const terms = { kind: 'silence', minutes: 30, filters: null } as const;
      accepted(await acting.rules.create({ ...rule, terms, mailTo: ['kim@example.com'] }));
      const narrowed = { accountId, personId, role: 'analyst' as const, packageIds: [packageId] };
      accepted(await catalog.memberships.put(narrowed));
      const names = (await catalog.shares.list(accountId)).map(({ name }) => name);
      expect(names).toEqual(['Own', 'Public']);
      expect(await catalog.rules.list(accountId, 'alert')).toMatchObject([{ isPaused: true }]);
    });

    test('of an analyst that ends takes their shares and rules along, no others', async () => {
      await addMember(owner);
      const share = {
        ...{ accountId, filters: '', period: { lastDays: 7 }, compare: 'none' as const },
        ...{ accessKey: undefined, timeZone: undefined, origins: [], expiresAt: undefined },
        packageId: undefined,
      };
      for (const role of ['analyst', 'manager'] as const) {
        const personId = await addMember({ role, packageIds: undefined });
        const acting = catalog.as({ kind: 'PERSON', personId, personName: 'Kim', address: null });
        accepted(await acting.shares.create({ ...share, name: role }));
        const terms = { kind: 'silence', minutes: 30, filters: null } as const;
        const rule = { accountId, name: role, url: undefined, sealedSecret: undefined, terms };
        accepted(await acting.rules.create({ ...rule, mailTo: ['kim@example.com'] }));
        accepted(await catalog.memberships.remove({ accountId, personId }));
      }
      expect((await catalog.shares.list(accountId)).map(({ name }) => name)).toEqual(['manager']);
      expect(await catalog.rules.list(accountId, 'alert')).toMatchObject([
        { name: 'analyst', isPaused: true },
        { name: 'manager', isPaused: false },
      ]);
    });

    test('by claims is made, changed and ended by them; others stay as they are', async () => {
      await addMember(owner);
      const personId = await addMember({ role: 'manager', packageIds: undefined });
      const second = await addLibrary(catalog);
      const standingsOf = async () =>
        (await accountsOf(personId)).map(({ accountId, role }) => [accountId, role]);
      const analyst = { role: 'analyst' as const, packageIds: undefined };
      const there = { accountId: second.accountId, ...analyst };
      accepted(await catalog.memberships.follow(personId, [there, { accountId, ...analyst }]));
      expect(await standingsOf()).toEqual([
        [accountId, 'manager'],
        [second.accountId, 'analyst'],
      ]);
      accepted(await catalog.memberships.follow(personId, [{ ...there, role: 'owner' }]));
      expect(await standingsOf()).toContainEqual([second.accountId, 'owner']);
      // The last owner stays.
      accepted(await catalog.memberships.follow(personId, []));
      expect(await standingsOf()).toContainEqual([second.accountId, 'owner']);
      const other = await addPerson();
      const another = { accountId: second.accountId, personId: other.personId, ...owner };
      accepted(await catalog.memberships.put(another));
      accepted(await catalog.memberships.follow(personId, []));
      expect(await standingsOf()).toEqual([[accountId, 'manager']]);
      // An owner who saves one takes it over, even as it is.
      accepted(await catalog.memberships.follow(personId, [there]));
      accepted(await catalog.memberships.put({ ...there, personId }));
      accepted(await catalog.memberships.follow(personId, []));
      expect(await standingsOf()).toContainEqual([second.accountId, 'analyst']);
      accepted(await catalog.memberships.remove({ accountId: second.accountId, personId }));
      // Of a package that is no more, nobody keeps what an earlier claim let them see.
      accepted(await catalog.memberships.follow(personId, [there]));
      accepted(await catalog.packages.delete(second.accountId, second.packageId));
      const gone = { ...there, packageIds: [second.packageId] };
      accepted(await catalog.memberships.follow(personId, [gone]));
      expect(await standingsOf()).toEqual([[accountId, 'manager']]);
    });
  });

  describe('a session of a person', () => {
    test('ends after 30 days however much it is used', async () => {
      const token = await beginFor((await addPerson()).personId);
      for (let day = 0; day < 29; day += 1) {
        clock.advance(dayMs);
        expect(await signed(token)).toBeDefined();
      }
      clock.advance(dayMs);
      expect(await signed(token)).toBeUndefined();
    });

    test('ends after 7 days without use, wherever it was used', async () => {
      const { personId } = await addPerson();
      const token = await beginFor(personId);
      const lastSeenAt = async () => (await catalog.people.find(personId))?.lastSeenAt?.getTime();
      expect(await lastSeenAt()).toBe(clock.now() - (clock.now() % 60_000));
      const other = await store.open(location, clock);
      await signed(token);
      clock.advance(6 * dayMs);
      await signed(token, other);
      const usedAt = async () => (await catalog.sessions.listOf(personId))[0]?.usedAt.getTime();
      const minute = clock.now() - (clock.now() % 60_000);
      clock.advance(5_000);
      // Uses are written beside the requests.
      await expect.poll(usedAt).toBe(minute);
      await expect.poll(lastSeenAt).toBe(minute);
      clock.advance(6 * dayMs);
      expect(await signed(token)).toBeDefined();
      clock.advance(7 * dayMs);
      expect(await signed(token)).toBeUndefined();
    });

    test('is listed with its place, and ended by its person alone', async () => {
      const { personId } = await addPerson();
      const other = await addPerson();
      const token = await beginFor(personId);
      const [listed] = await catalog.sessions.listOf(personId);
      expect(listed).toMatchObject({ ...place, createdAt: new Date(clock.now()) });
      const sessionId = listed?.sessionId ?? 0;
      expect(codeOf(await catalog.sessions.endOf(other.personId, sessionId))).toBe('NO_SESSION');
      expect(await signed(token)).toBeDefined();
      accepted(await catalog.sessions.endOf(personId, sessionId));
      expect([await signed(token), await catalog.sessions.listOf(personId)]).toEqual([
        undefined,
        [],
      ]);
    });

    test('says whether its device and country are new to the person', async () => {
      const { personId } = await addPerson();
      const isNew = async (changes: Partial<typeof place> = {}) =>
        (await catalog.sessions.beginFor(personId, { ...place, ...changes })).isNewPlace;
      expect([await isNew(), await isNew({ address: '192.0.2.9' })]).toEqual([true, false]);
      expect(await isNew({ country: 'FR' })).toBe(true);
    });

    test('ends by a new password, but for the one that set it', async () => {
      const { personId } = await addPerson();
      const [kept, other] = [await beginFor(personId), await beginFor(personId)];
      const link = await catalog.sessions.createPersonLink(personId, dayMs);
      const { sessionId } = (await signed(kept)) as SignedPerson;
      accepted(await catalog.people.setPassword(personId, 'a hash', sessionId));
      expect(await signed(kept)).toMatchObject({ personId, hasPassword: true });
      expect(await signed(other)).toBeUndefined();
      expect(await catalog.sessions.findPersonLink(link)).toBeUndefined();
    });
  });

  describe('a link of a person', () => {
    test('is spent once, even if it is followed twice at a time, and within its time', async () => {
      const { personId } = await addPerson();
      const link = await catalog.sessions.createPersonLink(personId, 60_000);
      expect(await catalog.sessions.findPersonLink(link)).toBe(personId);
      const spent = await Promise.all([
        catalog.sessions.spendPersonLink(link),
        catalog.sessions.spendPersonLink(link),
      ]);
      expect(spent.filter((one) => one !== undefined)).toEqual([personId]);
      const late = await catalog.sessions.createPersonLink(personId, 60_000);
      clock.advance(60_000);
      expect(await catalog.sessions.findPersonLink(late)).toBeUndefined();
      expect(await catalog.sessions.spendPersonLink(late)).toBeUndefined();
    });

    test('is valid beside later ones until a password is set, and no session, nor of a key', async () => {
      const { personId } = await addPerson();
      const first = await catalog.sessions.createPersonLink(personId, dayMs);
      const link = await catalog.sessions.createPersonLink(personId, dayMs);
      expect(await signed(link)).toBeUndefined();
      expect(await catalog.sessions.followLink(link)).toBeUndefined();
      const valid = [first, link].map((one) => catalog.sessions.findPersonLink(one));
      expect(await Promise.all(valid)).toEqual([personId, personId]);
      expect(await catalog.sessions.spendPersonLink(first)).toBe(personId);
      accepted(await catalog.people.setPassword(personId, 'a hash'));
      expect(await catalog.sessions.findPersonLink(link)).toBeUndefined();
    });
  });

  describe('an invitation', () => {
    const invite = async (email: string, standing: Standing = owner) =>
      accepted(await catalog.invitations.create({ accountId, email, ...standing }));
    const lee = (email?: string) => ({
      ...{ email, name: 'Lee', language: 'en' as const, passwordHash: 'a hash' },
    });

    test('names the person who invites, and neither a key nor a user of the system', async () => {
      const personal = { kind: 'PERSON', personId: 1, personName: 'Kim', address: null } as const;
      const byCommand = { kind: 'COMMAND_LINE', userName: 'root' } as const;
      const inviterOf = async (actor: Actor) => {
        const email = `by-${actor.kind}@example.com`;
        const { token } = accepted(
          await catalog.as(actor).invitations.create({ accountId, email, ...owner }),
        );
        return (await catalog.invitations.find(token))?.inviterName;
      };
      expect(await inviterOf(personal)).toBe('Kim');
      expect(await inviterOf(byCommand)).toBeUndefined();
    });

    test('makes a person with its address and role, once', async () => {
      const standing = { role: 'analyst' as const, packageIds: [packageId] };
      const { token } = await invite('lee@example.com', standing);
      expect(await catalog.invitations.list(accountId)).toMatchObject([
        { email: 'lee@example.com', ...standing, createdBy: 'SERVICE' },
      ]);
      const answers = await Promise.all([
        catalog.invitations.accept(token, lee('other@example.com')),
        catalog.invitations.accept(token, lee('other@example.com')),
      ]);
      const person = answers.flatMap((one) => (one?.ok ? [one.value] : []));
      expect(person).toMatchObject([{ email: 'lee@example.com', hasPassword: true }]);
      const personId = person[0]?.personId ?? 0;
      expect(await accountsOf(personId)).toMatchObject([{ accountId, ...standing }]);
      expect(await catalog.invitations.find(token)).toBeUndefined();
      expect(await catalog.invitations.list(accountId)).toEqual([]);
    });

    test('of somebody there is makes them a member, and nobody with another address', async () => {
      const [invited, other] = [await addPerson(), await addPerson()];
      const { token } = await invite(invited.email?.toUpperCase() ?? '');
      const accept = (who: Parameters<Catalog['invitations']['accept']>[1]) =>
        catalog.invitations.accept(token, who);
      expect(await accept({ personId: other.personId })).toMatchObject({
        reason: { code: 'INVITES_ANOTHER' },
      });
      // Whoever invited them has the link too, and must not become them.
      expect(await accept(lee())).toMatchObject({ reason: { code: 'EMAIL_USED' } });
      expect(await accept({ personId: invited.personId })).toMatchObject({ ok: true });
      expect(await accountsOf(invited.personId)).toHaveLength(1);
    });

    test('is void once another is made for the address, in the same account', async () => {
      const first = await invite('twice@example.com');
      const elsewhere = await addLibrary(catalog);
      const other = accepted(
        await catalog.invitations.create({
          ...{ ...owner, accountId: elsewhere.accountId, email: 'twice@example.com' },
        }),
      );
      const last = await invite('TWICE@example.com', { role: 'analyst', packageIds: [packageId] });
      expect(await catalog.invitations.find(first.token)).toBeUndefined();
      expect(await catalog.invitations.find(other.token)).toBeDefined();
      expect(await catalog.invitations.find(last.token)).toMatchObject({ role: 'analyst' });
    });

    test('gives back nothing that was taken: to a member, and of an owner who is one no more', async () => {
      await addMember(owner);
      const [removed, demoted, other] = await Promise.all([
        addMember(owner),
        addMember(owner),
        addMember(owner),
      ]);
      const person = (personId: number): Actor => {
        return { kind: 'PERSON', personId, personName: 'Kim', address: null };
      };
      const by = async (personId: number, email: string) =>
        accepted(
          await catalog.as(person(personId)).invitations.create({ accountId, email, ...owner }),
        ).token;
      const isOpen = async (token: string) => (await catalog.invitations.find(token)) !== undefined;
      const { email = '' } = (await catalog.people.find(removed)) ?? {};
      const tokens = [
        await by(other, email),
        await by(removed, 'second@example.com'),
        await by(demoted, 'third@example.com'),
        await by(other, 'fourth@example.com'),
      ];
      accepted(await catalog.memberships.remove({ accountId, personId: removed }));
      const analyst = { role: 'analyst' as const, packageIds: undefined };
      accepted(await catalog.memberships.put({ accountId, personId: demoted, ...analyst }));
      accepted(await catalog.memberships.put({ accountId, personId: other, ...owner }));
      expect(await Promise.all(tokens.map(isOpen))).toEqual([false, false, false, true]);
      expect((await actions()).filter((one) => one === 'INVITATION_REVOKED')).toHaveLength(3);
    });

    test('stays where the change of a member is refused', async () => {
      const personId = await addMember(owner);
      const { email = '' } = (await catalog.people.find(personId)) ?? {};
      const { token } = await invite(email);
      const analyst = { role: 'analyst' as const, packageIds: undefined };
      const changed = await catalog.memberships.put({ accountId, personId, ...analyst });
      expect(codeOf(changed)).toBe('LAST_OWNER');
      expect(await catalog.invitations.find(token)).toBeDefined();
    });

    test('is void after 7 days, and once it is taken back', async () => {
      const late = await invite('late@example.com');
      clock.advance(7 * dayMs);
      const back = await invite('back@example.com');
      const { invitationId } = back.invitation;
      const revoke = () => catalog.invitations.revoke({ accountId, invitationId });
      expect([codeOf(await revoke()), codeOf(await revoke())]).toEqual(['ok', 'NO_INVITATION']);
      for (const { token } of [late, back]) {
        expect(await catalog.invitations.find(token)).toBeUndefined();
        expect(await catalog.invitations.accept(token, lee())).toBeUndefined();
      }
      expect(await catalog.invitations.purge()).toBeGreaterThan(0);
    });

    test('binds an identity of a provider, which is of one person', async () => {
      const identity = { issuer: 'https://login.example', subject: '7' };
      const who = { ...lee(), passwordHash: undefined, identity };
      const { token } = await invite('bound@example.com');
      const { personId } = accepted(
        (await catalog.invitations.accept(token, who)) ?? {
          ok: false,
          reason: { code: 'NO_PERSON' },
        },
      );
      expect(await catalog.people.findByIdentity(identity)).toMatchObject({ personId });
      const second = await invite('second@example.com');
      const again = await catalog.invitations.accept(second.token, who);
      expect(again).toMatchObject({ reason: { code: 'IDENTITY_USED' } });
      // Nothing of it was done.
      expect(await catalog.people.findByEmail('second@example.com')).toBeUndefined();
      expect(await catalog.invitations.find(second.token)).toBeDefined();
    });
  });

  test('the audit of the service has who was made and removed, and by whom', async () => {
    const acting = catalog.as({ kind: 'COMMAND_LINE', userName: 'root' });
    const email = 'audited@example.com';
    const person = { email, name: 'Kim', language: 'en' as const, isOperator: true };
    const { personId } = accepted(await acting.people.create(person));
    accepted(await acting.people.remove(personId));
    const noted = { object: String(personId), actor: 'COMMAND_LINE', actorName: 'root' };
    const [removed, created, ...older] = await catalog.audit.listOfService({ limit: 100 });
    expect([removed, created]).toMatchObject([
      { ...noted, action: 'PERSON_REMOVED', before: { email, isOperator: true } },
      { ...noted, action: 'PERSON_CREATED', after: { email, isOperator: true } },
    ]);
    expect(older.map(({ action }) => action)).toContain('ACCOUNT_CREATED');
    const olderThan = { atMs: created?.at.getTime() ?? 0, auditId: created?.auditId ?? 0 };
    expect((await catalog.audit.listOfService({ limit: 1, olderThan }))[0]).toEqual(older[0]);
    clock.advance(10 * dayMs);
    while ((await catalog.audit.purge(dayMs)) > 0);
    expect(await catalog.audit.listOfService({ limit: 1 })).toEqual([]);
  });

  test('what concerns a person is in the audit of the service while no account of theirs is open', async () => {
    const concerns = [
      ...['SIGNED_IN', 'PASSWORD_CHANGED', 'SECOND_FACTOR_STARTED'],
      ...['EMAIL_CHANGE_STARTED', 'EMAIL_CHANGED', 'SIGN_IN_REFUSED'],
    ];
    const concern = async (personId: number) => {
      const own = { kind: 'PERSON', personId, personName: 'Kim', address: '192.0.2.1' } as const;
      const { people, sessions } = catalog.as(own);
      await sessions.beginFor(personId, place);
      accepted(await people.setPassword(personId, 'a hash'));
      accepted(await people.prepareSecondFactor(personId, new Uint8Array([1])));
      made += 1;
      const token = accepted(await people.prepareEmail(personId, `m${made}@new.example`, dayMs));
      expect(await people.confirmEmail(token)).toMatchObject({ ok: true });
      await catalog.people.note(personId, { action: 'SIGN_IN_REFUSED' });
    };
    const ofService = async (personId: number) => {
      const entries = await catalog.audit.listOfService({ limit: 100 });
      const own = entries.filter(({ object }) => object === String(personId));
      return own.toReversed().map(({ action }) => action);
    };
    const member = await addMember(owner);
    await concern(member);
    expect(await actions()).toEqual(expect.arrayContaining(concerns));
    expect(await ofService(member)).toEqual(['PERSON_CREATED']);
    accepted(await catalog.accounts.close(accountId));
    await concern(member);
    expect(await ofService(member)).toEqual(['PERSON_CREATED', ...concerns]);
    const { personId } = await addPerson();
    await concern(personId);
    const byHand = catalog.as({ kind: 'COMMAND_LINE', userName: 'root' });
    accepted(await byHand.people.removeSecondFactor(personId));
    const all = ['PERSON_CREATED', ...concerns, 'SECOND_FACTOR_REMOVED'];
    expect(await ofService(personId)).toEqual(all);
  });

  test('the first person is operator and an owner of every account, by a link of one day', async () => {
    const { catalog: empty } = await store.startWithCatalog(clock);
    const accounts = [await addLibrary(empty), await addLibrary(empty)];
    const late = (await empty.invitations.createFirst()) ?? '';
    clock.advance(dayMs);
    expect(await empty.invitations.find(late)).toBeUndefined();
    const former = (await empty.invitations.createFirst()) ?? '';
    const link = (await empty.invitations.createFirst()) ?? '';
    expect(await empty.invitations.find(former)).toBeUndefined();
    expect(await empty.invitations.find(link)).toMatchObject({ accountId: null, role: 'owner' });
    const first = { email: 'first@example.com', name: 'Kim', language: 'en' as const };
    const joined = await empty.invitations.accept(link, { ...first, passwordHash: 'a hash' });
    expect(joined).toMatchObject({ value: { email: first.email, isOperator: true } });
    const [person] = await empty.people.list();
    const memberships = await accountsOf(person?.personId ?? 0, empty);
    expect(memberships.map(({ accountId, role }) => [accountId, role])).toEqual(
      accounts.map((account) => [account.accountId, 'owner']),
    );
    expect(await empty.invitations.createFirst()).toBeUndefined();
  });

  describe('another mail address', () => {
    const halfHourMs = 1_800_000;
    const prepare = async (personId: number, email: string) =>
      accepted(await catalog.people.prepareEmail(personId, email, halfHourMs));

    test('is theirs once its link is followed, within its time; then links to the former are void', async () => {
      const person = await addMember(owner);
      const former = (await catalog.people.find(person))?.email;
      const reset = await catalog.sessions.createPersonLink(person, halfHourMs);
      const replaced = await prepare(person, 'first@new.example');
      const token = await prepare(person, 'Second@New.example');
      expect((await catalog.people.find(person))?.email).toBe(former);
      expect(await catalog.people.confirmEmail(replaced)).toBeUndefined();
      const confirmed = await catalog.people.confirmEmail(token);
      expect(confirmed).toMatchObject({
        value: { email: 'Second@New.example', formerEmail: former },
      });
      expect(await catalog.people.findByEmail('second@new.example')).toMatchObject({
        personId: person,
      });
      expect(await catalog.people.findByEmail(former ?? '')).toBeUndefined();
      expect(await catalog.people.confirmEmail(token)).toBeUndefined();
      expect(await catalog.sessions.findPersonLink(reset)).toBeUndefined();
      const [changed, , started] = await catalog.audit.list(accountId, { limit: 3 });
      expect([changed, started]).toMatchObject([
        { action: 'EMAIL_CHANGED', actor: `PERSON:${person}`, before: { email: former } },
        { action: 'EMAIL_CHANGE_STARTED', after: { email: 'first@new.example' } },
      ]);
      const late = await prepare(person, 'late@new.example');
      clock.advance(halfHourMs);
      expect(await catalog.people.confirmEmail(late)).toBeUndefined();
    });

    test('that somebody else has is refused by its link alone', async () => {
      const taken = await addPerson();
      const { personId, email } = await addPerson();
      const token = await prepare(personId, taken.email?.toUpperCase() ?? '');
      expect(await catalog.people.confirmEmail(token)).toMatchObject({
        reason: { code: 'EMAIL_USED' },
      });
      expect((await catalog.people.find(personId))?.email).toBe(email);
    });

    test('for which somebody else makes the link is in the audit of the service too', async () => {
      const personId = await addMember(owner);
      const actor = { kind: 'PERSON', personName: 'Kim', address: '192.0.2.1' } as const;
      const by = (id: number) => catalog.as({ ...actor, personId: id }).people;
      const operator = personId + 1_000;
      accepted(await by(operator).prepareEmail(personId, 'given@new.example', halfHourMs));
      accepted(await by(personId).prepareEmail(personId, 'own@new.example', halfHourMs));
      const [newest] = await catalog.audit.listOfService({ limit: 1 });
      expect(newest).toMatchObject({
        ...{ action: 'EMAIL_CHANGE_STARTED', actor: `PERSON:${operator}` },
        ...{ object: String(personId), after: { email: 'given@new.example' } },
      });
    });

    // SQLite has one writer at a time.
    test.runIf(store.name === 'PostgreSQL')(
      'that somebody else gets in the same instant is refused as well',
      async () => {
        assert('databaseUrl' in location, 'it is on PostgreSQL');
        const [{ personId }, other] = [await addPerson(), await addPerson()];
        const token = await prepare(personId, 'both@new.example');
        const taking = new pg.Client(location.databaseUrl);
        await taking.connect();
        await taking.query(
          `begin; update people set email_key = 'both@new.example' where id = ${other.personId}`,
        );
        const confirmed = catalog.people.confirmEmail(token);
        await waitUntil('it to wait for the other', async () => {
          const waiting = await taking.query(`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`);
          return waiting.rowCount === 1;
        });
        await taking.query('commit');
        await taking.end();
        expect(await confirmed).toMatchObject({ reason: { code: 'EMAIL_USED' } });
      },
    );

    test('is not changed by a link from before a new password', async () => {
      const { personId, email } = await addPerson();
      const token = await prepare(personId, 'thief@new.example');
      accepted(await catalog.people.setPassword(personId, 'a hash'));
      expect(await catalog.people.confirmEmail(token)).toBeUndefined();
      expect((await catalog.people.find(personId))?.email).toBe(email);
    });
  });

  test('a code of the second factor is used once, and a recovery code as well', async () => {
    const { personId } = await addPerson();
    accepted(await catalog.people.prepareSecondFactor(personId, new Uint8Array([1, 2, 3])));
    expect(await catalog.people.credentials(personId)).toMatchObject({
      sealedSecondFactor: undefined,
    });
    accepted(await catalog.people.confirmSecondFactor({ personId, step: 10 }, ['one', 'two']));
    const used = async (step: number) => catalog.people.useSecondFactor({ personId, step });
    expect([await used(10), await used(11), await used(11), await used(9)]).toEqual([
      ...[false, true, false, false],
    ]);
    const recover = (code: string) => catalog.people.useRecoveryCode(personId, code);
    expect([await recover('one'), await recover('one'), await recover('no')]).toEqual([
      ...[true, false, false],
    ]);
    expect(await catalog.people.countRecoveryCodes(personId)).toBe(1);
    const again = await catalog.people.prepareSecondFactor(personId, new Uint8Array([4]));
    expect(codeOf(again)).toBe('HAS_SECOND_FACTOR');
    accepted(await catalog.people.removeSecondFactor(personId));
    expect(await catalog.people.credentials(personId)).toMatchObject({
      sealedSecondFactor: undefined,
    });
    expect(await catalog.people.countRecoveryCodes(personId)).toBe(0);
  });
});
