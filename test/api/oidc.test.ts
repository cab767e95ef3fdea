/** Signing in by a real OIDC provider: who comes in, as what, and what it does not do. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { client, startOidcProvider, type TestProvider } from '../support/oidc-provider.ts';
import { addPerson, dashboard } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { runVerb } from '../support/service-kinds.ts';

const publicUrl = 'http://media.example';
const redirectUri = `${publicUrl}/session/oidc`;

let provider: TestProvider;
let service: TestService;
let account: TestAccount;
let packageId: number;
const logged: string[] = [];
/** What came back from the provider, and what browsers kept. */
const secrets = new Set<string>();

beforeAll(async () => {
  provider = await startOidcProvider(redirectUri);
  const rule = (value: string, role: string, more = {}) => ({
    ...{ claim: 'groups', value, account: 1, role, ...more },
  });
  service = await startTestService({
    environment: {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, PUBLIC_URL: publicUrl },
      ...{ OIDC_CLIENT_SECRET: client.secret, OIDC_SCOPES: 'openid email profile groups' },
      OIDC_ROLES: JSON.stringify([
        ...[rule('video', 'manager'), rule('owners', 'owner')],
        rule('course', 'analyst', { packages: [1] }),
      ]),
      ...{ PASSWORD_SIGN_IN: 'off', KEY_SIGN_IN: 'on' },
    },
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  account = await service.addAccount();
  packageId = await account.addPackage();
  await addPerson(service.catalog, { ...account, role: 'owner' });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const say = (name: string, claims: Record<string, unknown>) => provider.claims.set(name, claims);

/** As the dashboard begins it; the cookie is the browser's from then on. */
async function begin(message?: object, cookie = '') {
  const response = await service.request('/session/oidc', {
    method: 'POST',
    headers: { ...dashboard, cookie, ...(message && { 'content-type': 'application/json' }) },
    ...(message && { body: JSON.stringify(message) }),
  });
  expect(response.status).toBe(200);
  const { url } = (await response.json()) as { url: string };
  return { url, errand: response.headers.get('set-cookie') ?? '' };
}

/** The browser that comes back, with what it sends by itself. */
async function comeBack(search: string, errand: string) {
  const response = await fetch(`${service.url}/session/oidc${search}`, {
    redirect: 'manual',
    headers: { cookie: errand.split(';')[0] ?? '', 'sec-fetch-site': 'cross-site' },
  });
  const cookies = response.headers.getSetCookie();
  const session = cookies.find((one) => /^playmeter=[\w-]{43};/.test(one))?.split(';')[0];
  return { to: response.headers.get('location'), session, cookies };
}

async function signIn(name: string, message?: object, cookie?: string) {
  const { url, errand } = await begin(message, cookie);
  const back = await provider.signIn(url, name);
  for (const name of ['code', 'state']) secrets.add(back.searchParams.get(name) ?? '');
  secrets.add(/=([^;]+)/.exec(errand)?.[1] ?? '');
  return { ...(await comeBack(back.search, errand)), back, errand };
}

async function whoIs(session: string | undefined) {
  const response = await service.request('/session', {
    headers: { ...dashboard, cookie: session ?? '' },
  });
  return response.status === 200
    ? ((await response.json()) as { person: Record<string, unknown>; accounts: object[] })
    : undefined;
}

async function invite(email: string, role = 'analyst' as const) {
  const invited = { accountId: account.accountId, email, role, packageIds: undefined };
  return accepted(await service.catalog.invitations.create(invited)).token;
}

test('the provider gets a challenge (PKCE), a state and a nonce; the browser a sealed cookie', async () => {
  const { url, errand } = await begin();
  const asked = new URL(url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    ...{ response_type: 'code', code_challenge_method: 'S256', client_id: client.id },
    redirect_uri: redirectUri,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/.{20}/);
  expect(errand).toMatch(/^playmeter-errand=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(errand).not.toContain(asked.get('state'));
});

test('whom nobody invited and no claim makes a member does not come in', async () => {
  say('stranger', { name: 'Stranger', email: 'stranger@example.com', email_verified: true });
  const { to, session } = await signIn('stranger');
  expect([to, session]).toEqual(['/#sign-in-refused=unknown', undefined]);
  expect(await service.catalog.people.findByEmail('stranger@example.com')).toBeUndefined();
});

describe('claims', () => {
  test('make a person at the first sign-in, and their membership is brought up to date', async () => {
    const kim = { name: 'Kim', email: 'kim@example.com', email_verified: true };
    say('kim', { ...kim, groups: ['staff', 'video'] });
    const first = await signIn('kim');
    expect(first.to).toBe('/');
    const who = await whoIs(first.session);
    expect(who).toMatchObject({
      person: { name: 'Kim', email: 'kim@example.com', hasPassword: false },
      accounts: [{ accountId: account.accountId, role: 'manager', packageIds: null }],
    });
    say('kim', { ...kim, groups: ['course'] });
    const second = await whoIs((await signIn('kim')).session);
    expect(second).toMatchObject({
      person: { personId: who?.person.personId },
      accounts: [{ role: 'analyst', packageIds: [packageId] }],
    });
    say('kim', { ...kim, groups: [] });
    expect((await whoIs((await signIn('kim')).session))?.accounts).toEqual([]);
  });

  test('give nobody the person of an address: not even of a verified one', async () => {
    const owner = await addPerson(service.catalog, { ...account, role: 'owner' });
    const { email } = (await service.catalog.people.find(owner.personId)) ?? {};
    say('mallory', { name: 'Mallory', email, email_verified: true, groups: ['course'] });
    const who = await whoIs((await signIn('mallory')).session);
    expect(who?.person).toMatchObject({ name: 'Mallory', email: null });
    expect(who?.person.personId).not.toBe(owner.personId);
    say('eve', {
      name: 'Eve',
      email: 'eve@example.com',
      email_verified: false,
      groups: ['course'],
    });
    expect((await whoIs((await signIn('eve')).session))?.person).toMatchObject({ email: null });
  });
});

describe('an invitation', () => {
  test('binds issuer and subject to the person that it makes, whatever their address there', async () => {
    say('park', { name: 'Park', email: 'other@example.com', email_verified: true });
    const invitation = await invite('park@example.com');
    const first = await whoIs((await signIn('park', { invitation })).session);
    expect(first?.person).toMatchObject({ name: 'Park', email: 'park@example.com' });
    const again = await whoIs((await signIn('park')).session);
    expect(again?.person.personId).toBe(first?.person.personId);
    expect((await signIn('park', { invitation })).to).toBe('/#sign-in-refused=invitation');
  });

  test('to the address of somebody there is makes nobody them', async () => {
    const owner = await addPerson(service.catalog, { ...account, role: 'owner' });
    const { email = '' } = (await service.catalog.people.find(owner.personId)) ?? {};
    say('thief', { name: 'Thief' });
    const { to, session } = await signIn('thief', { invitation: await invite(email) });
    expect([to, session]).toEqual(['/#sign-in-refused=email_used', undefined]);
  });
});

test('whoever is signed in binds an identity to themselves, and signs in by it', async () => {
  const member = await addPerson(service.catalog, { ...account, role: 'analyst' });
  say('bound', { name: 'Bound' });
  const first = await signIn('bound', undefined, `playmeter=${member.token}`);
  expect(first.to).toBe('/');
  const who = await whoIs((await signIn('bound')).session);
  expect(who?.person.personId).toBe(member.personId);
});

test('whoever sits down at the desk of somebody who is signed in binds nothing', async () => {
  const { personId, token } = await addPerson(service.catalog, { ...account, role: 'analyst' });
  say('desk', { name: 'Desk' });
  const bind = () => signIn('desk', undefined, `playmeter=${token}`);
  const file = new Database(join(service.config.DATA_DIR, 'catalog.sqlite'));
  const older = 'update sessions set created_at_ms = created_at_ms - 600001 where person_id = ?';
  file.prepare(older).run(personId);
  file.close();
  expect((await bind()).to).toBe('/#sign-in-refused=not_fresh');
  const again = await begin(undefined, `playmeter=${token}`);
  await service.catalog.sessions.end(token);
  const back = await provider.signIn(again.url, 'desk');
  expect((await comeBack(back.search, again.errand)).to).toBe('/#sign-in-refused=not_fresh');
  expect((await signIn('desk')).to).toBe('/#sign-in-refused=unknown');
});

describe('what comes back', () => {
  test('counts once, in the browser that went, and within ten minutes', async () => {
    say('once', { name: 'Once', groups: ['course'] });
    const first = await signIn('once');
    expect(first.to).toBe('/');
    expect(first.cookies.join()).toContain('playmeter-errand=; Max-Age=0');
    const again = await comeBack(first.back.search, first.errand);
    expect([again.to, again.session]).toEqual(['/#sign-in-refused=failed', undefined]);
    const withoutCookie = await comeBack(first.back.search, '');
    expect([withoutCookie.to, withoutCookie.session]).toEqual([
      ...['/#sign-in-refused=expired', undefined],
    ]);
  });

  test('of another browser or with another state signs nobody in', async () => {
    say('mixed', { name: 'Mixed', groups: ['course'] });
    const [own, other] = [await begin(), await begin()];
    const back = await provider.signIn(own.url, 'mixed');
    const mixed = await comeBack(back.search, other.errand);
    expect([mixed.to, mixed.session]).toEqual(['/#sign-in-refused=failed', undefined]);
    back.searchParams.set('state', 'another');
    const changed = await comeBack(back.search, own.errand);
    expect([changed.to, changed.session]).toEqual(['/#sign-in-refused=failed', undefined]);
  });

  test('with an error of the provider is told by the page', async () => {
    const { errand } = await begin();
    const { to, session } = await comeBack('?error=access_denied', errand);
    expect([to, session]).toEqual(['/#sign-in-refused=failed', undefined]);
  });
});

test('with passwords off nobody signs in by one, and a link of the command line signs in', async () => {
  const post = (path: string, message: object) =>
    service.request(path, {
      method: 'POST',
      headers: { ...dashboard, 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
  const { personId } = await addPerson(service.catalog, { ...account, role: 'owner' });
  const { email } = (await service.catalog.people.find(personId)) ?? {};
  expect((await post('/session', { email, password: 'three river stones' })).status).toBe(403);
  const link = await service.catalog.sessions.createPersonLink(personId, 60_000);
  expect((await post('/session/reset', { link })).status).toBe(201);
  const ways = await service.request('/session/ways');
  expect(await ways.json()).toEqual({
    ...{ password: false, key: true, provider: new URL(provider.issuer).host },
    ...{ hasPeople: true, mail: false },
  });
});

test('nothing that the provider sent is in the log, of what failed either', async () => {
  say('watched', { name: 'Watched', groups: ['course'] });
  const { back, errand, session } = await signIn('watched');
  secrets.add(session?.replace('playmeter=', '') ?? '');
  await comeBack(back.search, errand);
  const all = logged.join('');
  expect(all).toContain('a sign-in by the OIDC provider failed');
  for (const secret of secrets) {
    expect(secret).toMatch(/.{20}/);
    expect(all).not.toContain(secret);
  }
});

test('where the operator allows it, a key signs in beside people', async () => {
  const signIn = { method: 'POST', headers: { ...dashboard, 'x-api-key': account.key } };
  const signed = await service.request('/session', signIn);
  expect([signed.status, await signed.json()]).toMatchObject([
    201,
    { accountId: account.accountId },
  ]);
});

test('while the provider is down that is said, and a link of the command line signs in', async () => {
  const alone = await startTestService({
    environment: {
      ...{ OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: client.id, PUBLIC_URL: publicUrl },
      PASSWORD_SIGN_IN: 'off',
    },
  });
  onTestFinished(() => alone.stop());
  const begun = await alone.request('/session/oidc', { method: 'POST', headers: dashboard });
  expect([begun.status, await begun.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }]);
  const { personId } = await addPerson(alone.catalog);
  const words = ['person', 'reset', '--person', String(personId), '--json'];
  const around = { config: alone.config, clock: systemClock, logger: pino({ level: 'silent' }) };
  const { printed } = await runVerb(around, words);
  const [, link] = /#reset=([\w-]{43})/.exec(printed.join()) ?? [];
  const signed = await alone.request('/session/reset', {
    method: 'POST',
    headers: { ...dashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  expect(signed.status).toBe(201);
});
