/** The mails to people: to whom, in which language, by which links; and what no log has of them. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join as joinPath } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { addPerson, dashboard } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

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

async function join(email: string, language: 'en' | 'ko') {
  const key = { 'x-api-key': account.key };
  const invited = await post('/manage/v1/invitations', { email, role: 'analyst', language }, key);
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
  const { personId, token } = await addPerson(service.catalog, { ...account, role: 'owner' });
  await service.request('/session', { headers: { ...dashboard, cookie: `playmeter=${token}` } });
  await post('/session', { email: 'english@example.com', password: 'wrong river stones' });
  const all = logged.join('');
  expect(all).not.toMatch(/river stones|#invitation|#reset/);
  expect(all).not.toContain(token);
  const link = await service.catalog.sessions.createPersonLink(personId, 60_000);
  const files = ['catalog.sqlite', 'catalog.sqlite-wal'].map((name) =>
    readFileSync(joinPath(service.config.DATA_DIR, name)),
  );
  const stored = Buffer.concat(files);
  for (const secret of ['river stones', token, link]) expect(stored.includes(secret)).toBe(false);
  expect(stored.includes('english@example.com')).toBe(true);
});
