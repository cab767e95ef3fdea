/** The mails to people: to whom, in which language, by which links; and what no log has of them. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join as joinPath } from 'node:path';
import Database from 'better-sqlite3';
import { TOTP } from 'otpauth';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { addPerson, dashboard } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { runVerb } from '../support/service-kinds.ts';

const publicUrl = 'https://media.example';
const logged: string[] = [];

let mailServer: TestMailServer;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  mailServer = await startMailServer();
  const stream = { write: (line: string) => void logged.push(line) };
  service = await startTestService({
    environment: {
      ...{ SMTP_URL: mailServer.url, MAIL_FROM: 'Playmeter <p@media.example>' },
      ...{ PUBLIC_URL: publicUrl, TRUST_PROXY: '1' },
    },
    log: pino({ level: 'trace' }, stream),
  });
  account = await service.addAccount();
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
});
beforeEach(() => {
  mailServer.mails.length = 0;
});

const post = (path: string, message: object, headers: Readonly<Record<string, string>> = {}) =>
  service.request(path, {
    method: 'POST',
    headers: { ...dashboard, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });

async function join(email: string, language: 'en' | 'ko', role = 'analyst') {
  const key = { 'x-api-key': account.key };
  const invited = await post('/manage/v1/invitations', { email, role, language }, key);
  expect(await invited.json()).toMatchObject({ isMailed: true });
  const { to, text } = await mailServer.next();
  expect(to).toBe(email);
  const [, invitation = ''] =
    /https:\/\/media\.example\/#invitation=([\w-]{43})\n/.exec(text) ?? [];
  const message = { invitation, name: 'Kim', language, password: 'three river stones' };
  const joined = await post('/session/acceptance', message, { 'x-forwarded-for': '192.0.2.1' });
  expect(joined.status).toBe(201);
  return {
    text,
    cookie: (joined.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    personId: ((await joined.json()) as { person: { personId: number } }).person.personId,
  };
}

test('an invitation is sent to the address that is invited, in the language that is chosen', async () => {
  const english = await join('english@example.com', 'en');
  expect(english.text).toContain('You are invited to see the playback statistics of Test.');
  const korean = await join('korean@example.com', 'ko');
  expect(korean.text).toContain('Test의 재생 통계에 초대합니다.');
  // Whoever has just come knows where they are.
  expect(mailServer.mails).toEqual([]);
});

test('an invitation by a person says who invites, in the mail and to whoever has its link', async () => {
  const { cookie } = await join('owner@example.com', 'en', 'owner');
  const guest = { email: 'guest@example.com', role: 'analyst' };
  expect((await post('/manage/v1/invitations', guest, { cookie })).status).toBe(201);
  const { text } = await mailServer.next();
  expect(text).toContain('Kim invites you to see the playback statistics of Test.');
  const [, invitation = ''] = /#invitation=([\w-]{43})\n/.exec(text) ?? [];
  const shown = await post('/session/invitation', { invitation });
  expect(await shown.json()).toMatchObject({ inviterName: 'Kim' });
});

test('a link for a new password is of PUBLIC_URL, whichever host is asked for it', async () => {
  await join('forgetful@example.com', 'ko');
  const host = { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-for': '192.0.2.2' };
  await post('/session/forgotten', { email: 'Forgetful@example.com' }, host);
  const { to, text } = await mailServer.next();
  expect(to).toBe('forgetful@example.com');
  expect(text).toContain('30분 안에');
  const [, link = ''] = /https:\/\/media\.example\/#reset=([\w-]{43})\n/.exec(text) ?? [];
  expect((await post('/session/reset', { link, password: 'four river stones' })).status).toBe(201);
  // Whoever else reads the mailbox may have used it.
  expect((await mailServer.next()).text).toContain('회원님 이름으로 로그인했습니다.');
});

test('nobody’s mailbox is filled: two links a minute, and of one account twenty mails', async () => {
  await join('filled@example.com', 'en');
  for (const address of ['192.0.2.11', '192.0.2.12', '192.0.2.13', '192.0.2.14']) {
    const from = { 'x-forwarded-for': address };
    const asked = await post('/session/forgotten', { email: 'filled@example.com' }, from);
    expect(asked.status).toBe(204);
  }
  const other = await service.addAccount();
  const statuses: number[] = [];
  for (let number = 0; number < 21; number += 1) {
    const about = { email: `many${number}@example.com`, role: 'analyst' };
    const key = { 'x-api-key': other.key };
    statuses.push((await post('/manage/v1/invitations', about, key)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(201), 429]);
  await expect.poll(() => mailServer.mails.length, { timeout: 10_000 }).toBe(22);
  expect(mailServer.mails.filter(({ to }) => to === 'filled@example.com')).toHaveLength(2);
});

test('nobody gets a mail for an address that nobody has', async () => {
  await post('/session/forgotten', { email: 'nobody@example.com' });
  await join('after@example.com', 'en');
  expect(mailServer.mails).toEqual([]);
});

test('an owner has such a link sent to a member, and no other account has', async () => {
  const { personId } = await join('member@example.com', 'en');
  const stranger = await service.addAccount();
  const send = (key: string) =>
    post(`/manage/v1/members/${personId}/reset`, {}, { 'x-api-key': key });
  expect((await send(stranger.key)).status).toBe(404);
  expect((await send(account.key)).status).toBe(204);
  const { to, text } = await mailServer.next();
  expect([to, text]).toEqual(['member@example.com', expect.stringContaining('/#reset=')]);
  expect((await send(account.key)).status).toBe(204);
  expect((await send(account.key)).status).toBe(429);
  await mailServer.next();
});

test('a sign-in from a new device is told, and one from the same is not', async () => {
  await join('traveller@example.com', 'en');
  const signIn = (agent: string) =>
    post(
      '/session',
      { email: 'traveller@example.com', password: 'three river stones' },
      { 'user-agent': agent, 'x-forwarded-for': '192.0.2.7' },
    );
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1';
  expect((await signIn(phone)).status).toBe(201);
  const { to, text } = await mailServer.next();
  expect(to).toBe('traveller@example.com');
  expect(text).toMatch(/Somebody signed in as you:\n\n.*iOS\n192\.0\.2\.7.*\n/);
  expect((await signIn(phone)).status).toBe(201);
  await join('last@example.com', 'en');
  expect(mailServer.mails).toEqual([]);
}, 30_000);

async function joinToMove(email: string) {
  const { personId, cookie } = await join(email, 'en');
  const change = (message: object) =>
    service.request('/manage/v1/people/me/email', {
      method: 'PUT',
      headers: { ...dashboard, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'three river stones', ...message }),
    });
  return { personId, change };
}

const linkIn = (text: string) => /media\.example\/#email=([\w-]{43})\n/.exec(text)?.[1];

test('another address is confirmed by a mail to it, and the former one is told', async () => {
  const { personId, change } = await joinToMove('former@example.com');
  const wrong = await change({ email: 'later@example.com', password: 'four river stones' });
  expect(wrong.status).toBe(401);
  expect((await change({ email: 'no address' })).status).toBe(400);
  expect((await change({ email: 'later@example.com' })).status).toBe(204);
  const { to, text } = await mailServer.next();
  expect(to).toBe('later@example.com');
  expect((await service.catalog.people.find(personId))?.email).toBe('former@example.com');
  const confirm = () => post('/session/email', { link: linkIn(text) });
  const confirmed = await confirm();
  expect([confirmed.status, confirmed.headers.get('set-cookie')]).toEqual([204, null]);
  const told = await mailServer.next();
  expect([told.to, told.text]).toEqual([
    'former@example.com',
    expect.stringContaining('is now later@example.com'),
  ]);
  expect((await confirm()).status).toBe(401);
  const signIn = (email: string) => post('/session', { email, password: 'three river stones' });
  expect((await signIn('former@example.com')).status).toBe(401);
  expect((await signIn('later@example.com')).status).toBe(201);
});

test('somebody who asks for links to a person’s password keeps them from no other address', async () => {
  const { change } = await joinToMove('bothered@example.com');
  const forgotten = { 'x-forwarded-for': '192.0.2.66' };
  for (let asked = 0; asked < 3; asked += 1) {
    await post('/session/forgotten', { email: 'bothered@example.com' }, forgotten);
  }
  for (const _ of ['both', 'links']) {
    expect((await mailServer.next()).to).toBe('bothered@example.com');
  }
  expect((await change({ email: 'calm@example.com' })).status).toBe(204);
  expect((await mailServer.next()).to).toBe('calm@example.com');
});

test('whether somebody has the address is said to whoever reads its mails alone', async () => {
  await join('taken@example.com', 'en');
  const { change } = await joinToMove('curious@example.com');
  const answers = [
    await change({ email: 'taken@example.com' }),
    await change({ email: 'free@example.com' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  const mails = [await mailServer.next(), await mailServer.next()];
  const toTaken = mails.find(({ to }) => to === 'taken@example.com');
  // Of two links the last one is valid.
  expect((await post('/session/email', { link: linkIn(toTaken?.text ?? '') })).status).toBe(401);
  // And nobody’s mailbox is filled.
  expect((await change({ email: 'third@example.com' })).status).toBe(429);
});

test('whoever has no password changes how they sign in within ten minutes of it', async () => {
  const { personId, headers } = await addPerson(service.catalog, { ...account, role: 'analyst' });
  const send = async (method: string, path: string, message: object) => {
    const answer = await service.request(`/manage/v1/people/me/${path}`, {
      ...{ method, headers: { ...headers, 'content-type': 'application/json' } },
      body: JSON.stringify(message),
    });
    return answer.status;
  };
  const changeEmail = () => send('PUT', 'email', { email: 'sso@example.com' });
  const startSecondFactor = () => send('POST', 'second-factor', {});
  const setPassword = () => send('PUT', 'password', { password: 'three river stones' });
  expect(await changeEmail()).toBe(204);
  expect((await mailServer.next()).to).toBe('sso@example.com');
  expect(await startSecondFactor()).toBe(200);
  const file = new Database(joinPath(service.config.DATA_DIR, 'catalog.sqlite'));
  const older = 'update sessions set created_at_ms = created_at_ms - 600001 where person_id = ?';
  file.prepare(older).run(personId);
  file.close();
  const late = [await changeEmail(), await startSecondFactor(), await setPassword()];
  expect(late).toEqual([409, 409, 409]);
});

test('whose second factor is removed on the command line is told', async () => {
  const { personId } = await join('lost@example.com', 'en');
  accepted(await service.catalog.people.prepareSecondFactor(personId, new Uint8Array([1])));
  accepted(await service.catalog.people.confirmSecondFactor({ personId, step: 1 }, ['a hash']));
  const { config } = service;
  const around = { config, clock: systemClock, logger: pino({ level: 'silent' }) };
  const words = ['person', 'remove-second-factor', '--person', String(personId)];
  expect(await runVerb(around, words)).toMatchObject({ code: 0, complaints: [] });
  const { to, text } = await mailServer.next();
  expect([to, text]).toEqual(['lost@example.com', expect.stringContaining('second factor')]);
});

test('a mail server that is away keeps nobody from inviting, and the log does not say whom', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const lines: string[] = [];
  const alone = await startTestService({
    environment: {
      ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'p@media.example' },
      PUBLIC_URL: publicUrl,
    },
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
  const { key } = await alone.addAccount();
  const about = { email: 'unreached@example.com', role: 'analyst' };
  const made = await alone.manage(key, 'POST', '/invitations', about);
  expect([made.status, made.body.path]).toEqual([201, expect.stringContaining('/#invitation=')]);
  const failed = () => lines.find((line) => line.includes('a mail to a person was not sent'));
  await expect.poll(failed, { timeout: 15_000 }).toBeDefined();
  expect(lines.join('')).not.toMatch(/unreached|#invitation/);
  await alone.stop();
}, 60_000);

test('neither log nor catalog has a password, a code, a token or a link in the clear', async () => {
  const { text, cookie, personId } = await join('secretive@example.com', 'en');
  const own = { cookie, 'x-forwarded-for': '192.0.2.1' };
  const password = 'three river stones';
  const factor = '/manage/v1/people/me/second-factor';
  const drawn = await post(factor, { password }, own);
  const { secret } = (await drawn.json()) as { secret: string };
  const code = new TOTP({ secret }).generate();
  const confirmed = await service.request(factor, {
    method: 'PUT',
    headers: { ...dashboard, ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] };
  const [used = '', wrong = '12345-abcde'] = recoveryCodes;
  const email = 'secretive@example.com';
  expect((await post('/session', { email, password, code: used })).status).toBe(201);
  expect((await post('/session', { email, password: 'wrong river stones' })).status).toBe(401);
  await post('/session/forgotten', { email }, { 'x-forwarded-for': '192.0.2.81' });
  const mailed = await nextLink('reset');
  await post('/session/reset', { link: mailed, password: 'short', code: wrong });
  const change = { password, email: 'secret@example.com', code: recoveryCodes[2] };
  await service.request('/manage/v1/people/me/email', {
    method: 'PUT',
    headers: { ...dashboard, ...own, 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  const confirming = await nextLink('email');
  const shown = await service.catalog.sessions.createPersonLink(personId, 60_000);
  const [, invitation] = /#invitation=([\w-]{43})/.exec(text) ?? [];
  const secrets = [
    ...[password, 'wrong river stones', secret, ...recoveryCodes, invitation, mailed, confirming],
    ...[shown, cookie.replace('playmeter=', '')],
  ];
  const files = ['catalog.sqlite', 'catalog.sqlite-wal'].map((name) =>
    readFileSync(joinPath(service.config.DATA_DIR, name)),
  );
  // The audit is in it, and all of it in backups.
  const stored = Buffer.concat(files).toString('latin1');
  const all = logged.join('');
  for (const one of secrets) {
    expect(one).toMatch(/.{11}/);
    for (const text of [stored, all]) expect(text).not.toContain(one);
  }
  expect(all).not.toMatch(/#invitation|#reset|#email/);
  for (const there of [email, 'SECOND_FACTOR_ADDED', 'RECOVERY_CODE_USED']) {
    expect(stored).toContain(there);
  }
});

/** Others, as of a sign-in, may come before. */
async function nextLink(name: 'reset' | 'email'): Promise<string> {
  for (;;) {
    const { text } = await mailServer.next();
    const [, link] = new RegExp(`#${name}=([\\w-]{43})\n`).exec(text) ?? [];
    if (link !== undefined) return link;
  }
}
