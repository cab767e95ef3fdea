/** Signing in as a person, and what a member may do by their role. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { version } from '../../src/app/version.ts';
import { listRoutes } from '../../src/http/app.ts';
import { placeClip } from '../../src/import/clip-file.ts';
import { keepPicture } from '../../src/import/thumbnail-capture.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addPerson, dashboard, type TestPerson } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const password = 'three river stones';
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0';

const { described } = await listRoutes();
const guarded = described.filter(({ operation }) => operation.scope !== undefined);

let service: TestService;
let account: TestAccount;
let made = 0;
beforeAll(async () => {
  service = await startTestService({ environment: { TRUST_PROXY: '1' } });
  account = await service.addAccount();
});
afterAll(() => service.stop());

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
  /** What a browser would send from then on. */
  readonly cookie: string;
}

/** Each from an address of its own, unless it says. */
async function call(
  method: string,
  path: string,
  message?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  made += 1;
  const from = { 'x-forwarded-for': `198.51.${made >> 8}.${made % 256}`, 'user-agent': agent };
  const response = await service.request(path, {
    method,
    headers: {
      ...{ ...dashboard, ...from, ...headers },
      ...(message ? { 'content-type': 'application/json' } : {}),
    },
    ...(message ? { body: JSON.stringify(message) } : {}),
  });
  const text = await response.text();
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), cookie };
}

const signIn = (message: object, headers = {}) => call('POST', '/session', message, headers);

/** With a password, by an invitation as an owner makes one. */
async function invited(role = 'analyst', about: object = {}, to = account) {
  made += 1;
  const email = `Invited${made}@example.com`;
  const invitation = await call(
    'POST',
    '/manage/v1/invitations',
    { email, role, ...about },
    { 'x-api-key': to.key },
  );
  expect(invitation.status).toBe(201);
  const link = String(invitation.body.path).replace('/#invitation=', '');
  return { email, link };
}

async function join(role = 'analyst', about: object = {}, to = account) {
  const { email, link } = await invited(role, about, to);
  const message = { invitation: link, name: 'Minji Kim', language: 'ko', password };
  const joined = await call('POST', '/session/acceptance', message);
  expect(joined.status).toBe(201);
  const { person } = joined.body;
  return { email, personId: Number(person.personId), cookie: joined.cookie, body: joined.body };
}

test('an invitation makes a person who is signed in, and it works once', async () => {
  const { email, link } = await invited('manager');
  const shown = await call('POST', '/session/invitation', { invitation: link });
  expect(shown.body).toEqual({
    ...{ accountName: 'Test', inviterName: null, email, role: 'manager' },
    ...{ isNarrowed: false, hasPerson: false },
  });
  const joined = await call('POST', '/session/acceptance', {
    ...{ invitation: link, name: 'Minji Kim', language: 'ko', password },
  });
  const { accountId } = account;
  expect(joined).toMatchObject({
    status: 201,
    body: {
      ...{ accountId, name: 'Test', keyId: null, role: 'manager', packageIds: null },
      person: { email, name: 'Minji Kim', language: 'ko', isOperator: false, hasPassword: true },
      accounts: [{ accountId, role: 'manager' }],
    },
  });
  const who = await call('GET', '/session', undefined, { cookie: joined.cookie });
  expect(who.body).toEqual(joined.body);
  const again = await call('POST', '/session/acceptance', {
    ...{ invitation: link, name: 'Other', password: 'other river stones' },
  });
  expect([again.status, again.cookie]).toEqual([401, '']);
});

test('a member of another account joins by the same link, signed in and with its address', async () => {
  const other = await service.addAccount();
  const { email, cookie } = await join();
  const link = String(
    (
      await call(
        'POST',
        '/manage/v1/invitations',
        { email: email.toLowerCase(), role: 'owner' },
        { 'x-api-key': other.key },
      )
    ).body.path,
  ).replace('/#invitation=', '');
  const shown = await call('POST', '/session/invitation', { invitation: link });
  expect(shown.body.hasPerson).toBe(true);
  // Whoever invited them has the link, and does not become them by it.
  const taken = { invitation: link, name: 'Mallory', password: 'mallory river stones' };
  expect((await call('POST', '/session/acceptance', taken)).status).toBe(409);
  const stranger = await join();
  const asStranger = { cookie: stranger.cookie };
  const wrong = await call('POST', '/session/acceptance', { invitation: link }, asStranger);
  expect(wrong.status).toBe(403);
  const joined = await call('POST', '/session/acceptance', { invitation: link }, { cookie });
  expect(joined.body.accounts.map((one: { role: string }) => one.role)).toEqual([
    ...['analyst', 'owner'],
  ]);
  const own = await call('GET', '/manage/v1/accounts', undefined, { cookie: joined.cookie });
  expect(own.body.list).toHaveLength(2);
});

describe('a password', () => {
  test('signs in, whatever the case of the address', async () => {
    const { email, personId } = await join();
    const signed = await signIn({ email: email.toUpperCase(), password });
    expect([signed.status, signed.body.person.personId]).toEqual([201, personId]);
    expect(signed.cookie).toMatch(/^playmeter=[\w-]{43}$/);
  });

  test('that is wrong is answered as nobody is, and both are no session', async () => {
    const { email } = await join();
    const withoutOne = await addPerson(service.catalog);
    const person = await service.catalog.people.find(withoutOne.personId);
    const answers = await Promise.all(
      [email, 'nobody@example.com', person?.email, 'no address'].map((one) =>
        signIn({ email: one, password: 'wrong river stones' }),
      ),
    );
    for (const { status, body, cookie } of answers) {
      expect([status, cookie]).toEqual([401, '']);
      expect(body).toEqual(answers[0]?.body);
    }
  });

  test('that is common is not taken', async () => {
    const { link } = await invited();
    const message = { invitation: link, name: 'Kim', password: 'Password2026!' };
    const refused = await call('POST', '/session/acceptance', message);
    expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'password']);
  });

  test('is tried ten times a minute for a person, from wherever, and then not even looked at', async () => {
    const { email } = await join();
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      statuses.push((await signIn({ email, password: 'wrong river stones' })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const right = await signIn({ email, password });
    expect(right.status).toBe(429);
    // No sooner for an address that nobody has.
    const nobody: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      nobody.push((await signIn({ email: `nobody-${email}`, password })).status);
    }
    expect(nobody).toEqual(statuses);
    await expect
      .poll(async () => (await actionsOf(account)).filter((one) => one.startsWith('SIGN_IN_')))
      .toEqual(expect.arrayContaining(['SIGN_IN_REFUSED', 'SIGN_IN_SLOWED']));
  });

  test('still signs in from where the person is signed in, while others guess it', async () => {
    const { email } = await join();
    const home = { 'x-forwarded-for': '203.0.113.77' };
    expect((await signIn({ email, password }, home)).status).toBe(201);
    for (let tries = 0; tries < 11; tries += 1) await signIn({ email, password: 'wrong stones' });
    expect((await signIn({ email, password })).status).toBe(429);
    expect((await signIn({ email, password }, home)).status).toBe(201);
  });

  test('of many people is not tried from one address more than twenty times a minute', async () => {
    const from = { 'x-forwarded-for': '203.0.113.50' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries += 1) {
      const email = `somebody${tries}@example.com`;
      statuses.push((await signIn({ email, password }, from)).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });

  test('is changed by who knows it, which ends the other sessions', async () => {
    const { email, cookie } = await join();
    const other = await signIn({ email, password });
    const change = (message: object) =>
      call('PUT', '/manage/v1/people/me/password', message, { cookie });
    const renewed = 'four river stones';
    expect((await change({ password: renewed })).status).toBe(401);
    const wrong = { password: renewed, formerPassword: 'wrong' };
    expect((await change(wrong)).status).toBe(401);
    expect((await change({ password: renewed, formerPassword: password })).status).toBe(204);
    const who = (of: string) => call('GET', '/session', undefined, { cookie: of });
    expect([(await who(cookie)).status, (await who(other.cookie)).status]).toEqual([200, 401]);
    expect((await signIn({ email, password })).status).toBe(401);
    expect((await signIn({ email, password: renewed })).status).toBe(201);
  });
});

describe('a forgotten password', () => {
  test('is never said to be of somebody or of nobody', async () => {
    const { email } = await join();
    for (const one of [email, 'nobody@example.com']) {
      const answer = await call('POST', '/session/forgotten', { email: one });
      expect([answer.status, answer.body]).toEqual([204, undefined]);
    }
  });

  test('is set anew by a link, once, which ends all sessions', async () => {
    const { email, personId, cookie } = await join();
    const link = await service.catalog.sessions.createPersonLink(personId, 60_000);
    const reset = (about: object) => call('POST', '/session/reset', { link, ...about });
    expect((await reset({ password: 'short' })).status).toBe(400);
    const renewed = 'four river stones';
    const signed = await reset({ password: renewed });
    expect([signed.status, signed.body.person.personId]).toEqual([201, personId]);
    expect((await call('GET', '/session', undefined, { cookie })).status).toBe(401);
    expect((await reset({ password: 'five river stones' })).status).toBe(401);
    expect((await signIn({ email, password: renewed })).status).toBe(201);
  });

  test('by a link leaves the second factor, whose code is needed', async () => {
    const { personId, cookie, email } = await join();
    const { secret } = await addSecondFactor(cookie);
    const link = await service.catalog.sessions.createPersonLink(personId, 60_000);
    const renewed = 'four river stones';
    const without = await call('POST', '/session/reset', { link, password: renewed });
    expect([without.status, without.body.errors[0].parameter]).toEqual([401, 'code']);
    const code = codeOf(secret, 1);
    const reset = await call('POST', '/session/reset', { link, password: renewed, code });
    expect([reset.status, reset.body.person.hasSecondFactor]).toEqual([201, true]);
    expect((await signIn({ email, password: renewed })).status).toBe(401);
  });

  test('an owner has the link sent, and never sees it', async () => {
    const { personId } = await join();
    const sent = await call('POST', `/manage/v1/members/${personId}/reset`, undefined, {
      'x-api-key': account.key,
    });
    // There is no mail server here.
    expect([sent.status, sent.body.detail]).toEqual([409, expect.stringContaining('SMTP_URL')]);
  });
});

function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

async function addSecondFactor(cookie: string) {
  const url = '/manage/v1/people/me/second-factor';
  const drawn = await call('POST', url, { password }, { cookie });
  expect(drawn.status).toBe(200);
  const { secret } = drawn.body;
  const code = codeOf(secret);
  const confirmed = await call('PUT', url, { code }, { cookie });
  expect(confirmed.status).toBe(200);
  const recoveryCodes = confirmed.body.recoveryCodes as string[];
  return { secret: String(secret), code, recoveryCodes };
}

describe('a second factor', () => {
  test('begins with the password, and is asked for once it was confirmed', async () => {
    const { email, cookie } = await join();
    const url = '/manage/v1/people/me/second-factor';
    expect((await call('POST', url, { password: 'wrong' }, { cookie })).status).toBe(401);
    await call('POST', url, { password }, { cookie });
    expect((await call('PUT', url, { code: '000000' }, { cookie })).status).toBe(400);
    expect((await signIn({ email, password })).status).toBe(201);
    const { secret } = await addSecondFactor(cookie);
    const asked = await signIn({ email, password });
    expect([asked.status, asked.cookie, asked.body.errors]).toEqual([
      ...[401, ''],
      [{ parameter: 'code', detail: expect.any(String) }],
    ]);
    // The password is looked at first.
    const wrong = await signIn({ email, password: 'wrong river stones', code: codeOf(secret, 1) });
    expect(wrong.body.errors).toBeUndefined();
    expect((await signIn({ email, password, code: codeOf(secret, 1) })).status).toBe(201);
  });

  test('takes each code once, and a recovery code in its place', async () => {
    const { email, cookie } = await join();
    const { secret, code: used, recoveryCodes } = await addSecondFactor(cookie);
    const statusOf = async (code: string) => (await signIn({ email, password, code })).status;
    const next = codeOf(secret, 1);
    expect([await statusOf(used), await statusOf(next)]).toEqual([401, 201]);
    expect(await statusOf(next)).toBe(401);
    const [first = ''] = recoveryCodes;
    expect([await statusOf(first), await statusOf(first)]).toEqual([201, 401]);
  });

  test('is removed by who has the password and a code', async () => {
    const { email, cookie } = await join();
    const { recoveryCodes } = await addSecondFactor(cookie);
    const remove = (about: object) =>
      call('POST', '/manage/v1/people/me/second-factor/removal', about, { cookie });
    expect((await remove({ password, code: '000000' })).status).toBe(401);
    expect((await remove({ code: recoveryCodes[0] })).status).toBe(401);
    expect((await remove({ password, code: recoveryCodes[0] })).status).toBe(204);
    expect((await signIn({ email, password })).status).toBe(201);
  });
});

test('a person sees their sessions with device and place, and ends one', async () => {
  const { email, cookie } = await join();
  const other = await signIn({ email, password }, { 'x-forwarded-for': '203.0.113.9' });
  const url = '/manage/v1/people/me/sessions';
  const { list } = (await call('GET', url, undefined, { cookie })).body;
  expect(list).toMatchObject([
    { device: 'Chrome, Windows', address: '203.0.113.9', isThis: false },
    { device: 'Chrome, Windows', isThis: true },
  ]);
  const end = (sessionId: number, headers: Readonly<Record<string, string>>) =>
    call('DELETE', `${url}/${sessionId}`, undefined, headers);
  expect((await end(list[0].sessionId, { cookie })).status).toBe(204);
  const who = await call('GET', '/session', undefined, { cookie: other.cookie });
  expect(who.status).toBe(401);
});

test('a person changes name and language', async () => {
  const { cookie } = await join();
  const url = '/manage/v1/people/me';
  const changed = await call('PATCH', url, { name: 'Kim Minji', language: 'en' }, { cookie });
  expect(changed.body).toMatchObject({ name: 'Kim Minji', language: 'en' });
  expect((await call('GET', url, undefined, { cookie })).body).toEqual({
    ...changed.body,
    recoveryCodes: 0,
  });
});

test('a person who signs out is out, which is in the audit', async () => {
  const { cookie } = await join();
  expect((await call('DELETE', '/session', undefined, { cookie })).status).toBe(204);
  expect((await call('GET', '/session', undefined, { cookie })).status).toBe(401);
  expect((await actionsOf(account))[0]).toBe('SIGNED_OUT');
});

test('an account is chosen by its id, and one of others does not exist', async () => {
  const other = await service.addAccount();
  const stranger = await service.addAccount();
  const member = await addPerson(service.catalog, { ...account, role: 'analyst' });
  const { personId } = member;
  const owner = { personId, role: 'owner' as const, packageIds: undefined };
  accepted(await service.catalog.memberships.put({ accountId: other.accountId, ...owner }));
  const ask = (named: string) =>
    call('GET', '/manage/v1/account', undefined, {
      ...member.headers,
      'x-playmeter-account': named,
    });
  expect((await ask(String(other.accountId))).body).toMatchObject({ accountId: other.accountId });
  const keys = { ...member.headers, 'x-playmeter-account': String(other.accountId) };
  expect((await call('GET', '/manage/v1/keys', undefined, keys)).status).toBe(200);
  expect((await call('GET', '/manage/v1/keys', undefined, member.headers)).status).toBe(403);
  const foreign = await ask(String(stranger.accountId));
  expect(foreign.status).toBe(404);
  expect(await ask('987654')).toMatchObject({ status: 404, body: foreign.body });
  expect(await ask('nonsense')).toMatchObject({ status: 404, body: foreign.body });
});

test('who is removed sees nothing from the next request on', async () => {
  const member = await addPerson(service.catalog, { ...account, role: 'analyst' });
  const ask = () => call('GET', '/manage/v1/account', undefined, member.headers);
  expect((await ask()).status).toBe(200);
  const removed = await call('DELETE', `/manage/v1/members/${member.personId}`, undefined, {
    'x-api-key': account.key,
  });
  expect(removed.status).toBe(204);
  expect((await ask()).status).toBe(401);
  // Nobody's account is asked for by one who has none yet.
  const nobody = await addPerson(service.catalog);
  expect((await call('GET', '/session', undefined, nobody.headers)).body).toMatchObject({
    ...{ accountId: 0, scopes: [], accounts: [] },
  });
  const asked = await call('GET', '/manage/v1/account', undefined, nobody.headers);
  expect(asked.status).toBe(404);
});

test('who is removed while a body is on its way does nothing by it', async () => {
  const [member] = [
    await addPerson(service.catalog, { ...account, role: 'owner' }),
    await addPerson(service.catalog, { ...account, role: 'owner' }),
  ];
  const body = JSON.stringify({ email: 'second@example.com', role: 'owner' });
  const held = request(`${service.url}/manage/v1/invitations`, {
    method: 'POST',
    headers: {
      ...{ ...member.headers, 'content-type': 'application/json' },
      'content-length': Buffer.byteLength(body),
    },
  });
  const answered = once(held, 'response');
  held.flushHeaders();
  held.write(body.slice(0, 5));
  await sleep(200);
  accepted(await service.catalog.memberships.remove({ ...account, personId: member.personId }));
  held.end(body.slice(5));
  const [answer] = (await answered) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(401);
  const open = await service.catalog.invitations.list(account.accountId);
  expect(open.map(({ email }) => email)).not.toContain('second@example.com');
});

describe('by the role', () => {
  const roles = ['owner', 'manager', 'analyst'] as const;
  const members = {} as Record<(typeof roles)[number], TestPerson>;
  beforeAll(async () => {
    for (const role of roles)
      members[role] = await addPerson(service.catalog, { ...account, role });
  });

  const days = 'sdate=2026-05-01&edate=2026-05-07';
  test.each([
    ['GET', `/report/statistics/video/v1/os?${days}`, 'analyst'],
    ['GET', `/report/statistics/video/v2/query?${days}&measures=plays`, 'analyst'],
    ['GET', '/report/statistics/video/v2/live', 'analyst'],
    ['GET', '/info/videopack/package/v1/info.json', 'analyst'],
    ['GET', '/manage/v1/videos', 'analyst'],
    ['GET', '/manage/v1/audit', 'analyst'],
    ['GET', '/manage/v1/shares', 'analyst'],
    ['GET', '/manage/v1/reports', 'analyst'],
    ['POST', '/manage/v1/folders', 'manager'],
    ['DELETE', '/manage/v1/packages/987654', 'manager'],
    ['PATCH', '/manage/v1/account', 'manager'],
    ['GET', '/manage/v1/ledger?sdate=2026-05-01&edate=2026-05-07', 'manager'],
    ['GET', '/manage/v1/suspects?sdate=2026-05-01&edate=2026-05-07', 'manager'],
    ['DELETE', '/manage/v1/playback?before=2020-01-01&dryRun=Y', 'manager'],
    ['GET', '/manage/v1/signing-keys', 'manager'],
    ['GET', '/manage/v1/labels', 'manager'],
    ['GET', '/manage/v1/deliveries', 'manager'],
    ['GET', '/manage/v1/members', 'owner'],
    ['GET', '/manage/v1/invitations', 'owner'],
    ['GET', '/manage/v1/keys', 'owner'],
    ['POST', '/manage/v1/keys', 'owner'],
  ])('%s %s is for %s and above', async (method, path, least) => {
    for (const role of roles) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      const { status } = await call(method, path, body, members[role].headers);
      const mayAct = roles.indexOf(role) <= roles.indexOf(least as 'owner');
      expect([role, status === 403]).toEqual([role, !mayAct]);
    }
  });

  const above = { owner: 'manager', manager: 'analyst' } as const;
  const ofMore = guarded.flatMap(({ method, url, operation: { role } }) =>
    role === 'owner' || role === 'manager' || role === 'operator'
      ? [[method.toUpperCase(), url, role] as const]
      : [],
  );
  test.each(ofMore)(
    '%s %s, which is for %s, is refused to who is less',
    async (method, url, role) => {
      const { headers } = members[role === 'operator' ? 'owner' : above[role]];
      const path = url.replaceAll(/:\w+/g, '987654');
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      expect((await call(method, path, body, headers)).status).toBe(403);
    },
  );

  test('an analyst has reports, alerts and an audit of their own, and no webhooks', async () => {
    const { headers } = members.analyst;
    const terms = { name: 'Quiet', kind: 'silence', minutes: 30 };
    const alert = { ...terms, url: 'https://hooks.example.com/a' };
    const made = await call('POST', '/manage/v1/alerts', alert, members.owner.headers);
    expect(made.status).toBe(201);
    const own = await call('GET', '/manage/v1/alerts', undefined, headers);
    expect(own.body.list).toEqual([]);
    const { alertId } = made.body;
    const changed = await call('PATCH', `/manage/v1/alerts/${alertId}`, { name: 'Mine' }, headers);
    expect(changed.status).toBe(404);
    const deleted = await call('DELETE', `/manage/v1/alerts/${alertId}`, undefined, headers);
    expect(deleted.status).toBe(404);
    expect((await call('POST', '/manage/v1/alerts', alert, headers)).status).toBe(403);
    const actor = `PERSON:${members.analyst.personId}`;
    const share = { name: 'Mine', lastDays: 7 };
    expect((await call('POST', '/manage/v1/shares', share, headers)).status).toBe(201);
    const audit = await call('GET', '/manage/v1/audit', undefined, headers);
    const actors = audit.body.list.map((entry: { actor: string }) => entry.actor);
    expect([...new Set(actors)]).toEqual([actor]);
  });

  test('an analyst revokes shares of their own alone', async () => {
    const share = { name: 'Ours', lastDays: 7 };
    const made = await call('POST', '/manage/v1/shares', share, members.owner.headers);
    const revoke = (by: TestPerson) =>
      call('DELETE', `/manage/v1/shares/${made.body.shareId}`, undefined, by.headers);
    expect((await revoke(members.analyst)).status).toBe(403);
    expect((await revoke(members.manager)).status).toBe(204);
  });

  test('what a person changes is in the audit as theirs, and a key shows who made it', async () => {
    const { personId, headers } = members.owner;
    const made = await call('POST', '/manage/v1/keys', { scopes: ['stats:read'] }, headers);
    expect(made.body).toMatchObject({ createdBy: `PERSON:${personId}` });
    const [newest] = await service.catalog.audit.list(account.accountId, { limit: 1 });
    expect(newest).toMatchObject({
      ...{ action: 'KEY_CREATED', actor: `PERSON:${personId}`, address: '127.0.0.1' },
      address: expect.stringContaining('198.51.'),
    });
  });

  test('a POST that is repeated by a person is done once', async () => {
    const { headers } = members.manager;
    const add = (by: Readonly<Record<string, string>>) =>
      call('POST', '/manage/v1/folders', { folderName: 'Once' }, { ...by, 'idempotency-key': 'a' });
    const [first, second] = [await add(headers), await add(headers)];
    expect([first.status, second.body]).toEqual([201, first.body]);
    expect((await add(members.owner.headers)).body.folderId).not.toBe(first.body.folderId);
  });

  test('a member becomes more, and nobody becomes one by this', async () => {
    const member = await addPerson(service.catalog, { ...account, role: 'analyst' });
    const stranger = await addPerson(service.catalog);
    const put = ({ personId }: TestPerson, about: object) =>
      call('PUT', `/manage/v1/members/${personId}`, about, members.owner.headers);
    expect((await put(member, { role: 'manager' })).body).toMatchObject({ role: 'manager' });
    expect((await put(stranger, { role: 'analyst' })).status).toBe(404);
  });

  test('an operator looks after the service, and sees no account of others', async () => {
    const operator = await addPerson(service.catalog, undefined, true);
    const ask = (method: string, path: string, message?: object) =>
      call(method, path, message, operator.headers);
    const metrics = (by: TestPerson) =>
      fetch(`${service.url}/metrics`, {
        headers: { ...by.headers, 'x-forwarded-for': '203.0.113.200' },
      });
    expect([(await metrics(operator)).status, (await metrics(members.owner)).status]).toEqual([
      ...[200, 403],
    ]);
    expect((await ask('GET', '/manage/v1/people')).body.list).not.toEqual([]);
    const audit = await ask('GET', '/manage/v1/service/audit?pageSize=1000');
    const actions = audit.body.list.map((entry: { action: string }) => entry.action);
    const ofService = ['ACCOUNT_CREATED', 'PERSON_CREATED', 'SIGNED_IN'];
    expect(actions).toEqual(expect.arrayContaining(ofService));
    expect(actions).not.toContain('MEMBER_ADDED');
    const { personId } = members.owner;
    const reset = await ask('POST', `/manage/v1/people/${personId}/reset`);
    expect(reset.body.path).toMatch(/^\/#reset=[\w-]{43}$/);
    const [newest] = (await ask('GET', '/manage/v1/service/audit')).body.list;
    expect(newest).toMatchObject({
      ...{ action: 'RESET_SHOWN', object: String(personId), actor: `PERSON:${operator.personId}` },
    });
    const named = { ...operator.headers, 'x-playmeter-account': String(account.accountId) };
    expect((await call('GET', '/manage/v1/account', undefined, named)).status).toBe(404);
    const made = await ask('POST', '/manage/v1/accounts', { name: 'New', timeZone: 'Asia/Seoul' });
    expect(made.body).toMatchObject({ name: 'New', role: 'owner' });
    expect((await ask('GET', '/manage/v1/account')).body).toMatchObject({ name: 'New' });
    const names = ['accounts', 'health', 'findings', 'limits', 'audit'];
    const paths = ['/people', ...names.map((one) => `/service/${one}`)];
    for (const path of [`/people/${personId}/reset`, '/accounts', ...paths]) {
      const [method, body] = paths.includes(path) ? ['GET'] : ['POST', {}];
      const refused = await call(method, `/manage/v1${path}`, body, members.owner.headers);
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });
});

test('an operator closes an account by its name, and opens it again', async () => {
  const other = await service.addAccount();
  const { accountId } = other;
  const operator = await addPerson(service.catalog, undefined, true);
  const owner = await addPerson(service.catalog, { accountId, role: 'owner' });
  const path = `/manage/v1/service/accounts/${accountId}/closure`;
  const close = (name: string, by = operator) => call('PUT', path, { name }, by.headers);
  const isIn = async () => [
    (await call('GET', '/manage/v1/account', undefined, { 'x-api-key': other.key })).status,
    (await call('GET', '/manage/v1/account', undefined, owner.headers)).status,
  ];
  expect([await close('Test', owner), await close('Tset')]).toMatchObject([
    { status: 403 },
    { status: 400, body: { errors: [{ parameter: 'name' }] } },
  ]);
  expect(await isIn()).toEqual([200, 200]);
  expect((await close('Test')).status).toBe(204);
  expect(await isIn()).toEqual([401, 401]);
  const list = async () =>
    (await call('GET', '/manage/v1/service/accounts', undefined, operator.headers)).body.list;
  const closed = { accountId, name: 'Test', timeZone: 'UTC', closedAt: expect.any(String) };
  expect(await list()).toContainEqual(closed);
  expect((await call('DELETE', path, undefined, operator.headers)).status).toBe(204);
  expect(await list()).toContainEqual({ ...closed, closedAt: null });
  expect((await isIn())[0]).toBe(200);
});

test('media and pictures of an account that is closed are not found', async () => {
  const { catalog, config } = service;
  const { accountId, addPackage, addVideo, publish } = await service.addAccount();
  const accessKey = await addVideo();
  const videoKey = await publish(await addPackage(), accessKey);
  const { videoId = 0 } = (await catalog.videos.find(accountId, accessKey)) ?? {};
  const folder = findContentFolder(config);
  await placeClip(folder, videoId);
  const picture = `/content/thumbnails/${await keepPicture(folder, Buffer.from('a'), 'jpg')}`;
  const given = [{ url: `https://media.example${picture}` }];
  accepted(await catalog.thumbnails.replace(accountId, accessKey, given));
  const statuses = () =>
    Promise.all(
      [`/content/${videoKey}`, picture].map(async (path) => (await service.request(path)).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  accepted(await catalog.accounts.close(accountId));
  expect(await statuses()).toEqual([404, 404]);
});

test('an operator sees how the service is, and its limits with how often they were reached', async () => {
  const operator = await addPerson(service.catalog, undefined, true);
  const ask = async (what: string) =>
    (await call('GET', `/manage/v1/service/${what}`, undefined, operator.headers)).body;
  expect(await ask('health')).toEqual({
    ...{ version, role: 'all', catalog: 'ok', statistics: 'ok', collecting: 'ok' },
  });
  const { settings, reached } = await ask('limits');
  expect(settings).toContainEqual({ name: 'RATE_LIMIT_PER_MINUTE', value: 1_000_000 });
  const email = 'nobody@example.com';
  const tries = Array.from({ length: 11 }, () => signIn({ email, password: 'wrong stones' }));
  const beyond = (await Promise.all(tries)).filter(({ status }) => status === 429).length;
  expect(beyond).toBeGreaterThan(0);
  const { reached: later } = await ask('limits');
  const limit = 'sign-in of a person';
  const countOf = (list: { limit: string; requests: number }[]) =>
    list.find((one) => one.limit === limit)?.requests;
  expect(countOf(later)).toBe(beyond + (countOf(reached) ?? 0));
});

test('no key does what is a person’s, and none signs in once there are people', async () => {
  const key = { 'x-api-key': account.key };
  for (const path of ['/manage/v1/people/me', '/manage/v1/accounts', '/manage/v1/people']) {
    expect((await call('GET', path, undefined, key)).status).toBe(403);
  }
  const refused = await call('POST', '/session', undefined, key);
  expect([refused.status, refused.cookie]).toEqual([403, '']);
  expect((await call('GET', '/session/ways')).body).toEqual({
    ...{ password: true, key: false, provider: null, hasPeople: true, mail: false },
  });
});

async function actionsOf({ accountId }: TestAccount): Promise<string[]> {
  const entries = await service.catalog.audit.list(accountId, { limit: 1_000 });
  return entries.map(({ action }) => action);
}
