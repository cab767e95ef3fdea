/** Alerts and reports from the interface to a real receiver, by complete data, each once. */
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { secret as appSecret, type Rounds, roundsBeside } from '../support/notifying.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const minuteMs = 60_000;
let nowMs = Date.parse('2026-05-19T14:00:00Z');
let service: TestService;
let receiver: WebhookReceiver;
let rounds: Rounds;
let account: TestAccount;
let video: { readonly packageId: number; readonly accessKey: string };
let views = 0;

let mailServer: TestMailServer;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mailServer = await startMailServer();
  service = await startTestService({
    clock: { now: () => nowMs },
    environment: {
      APP_SECRET: appSecret,
      WEBHOOK_NETWORKS: 'loopback',
      SMTP_URL: mailServer.url.replace('//', '//sender:p%40ss@'),
      MAIL_FROM: 'Playmeter <stats@example.com>',
    },
  });
  rounds = roundsBeside(service, () => nowMs);
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await mailServer?.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
  mailServer.mails.length = 0;
});

/** No rule of one test is judged in another. */
afterEach(async () => {
  const { rules } = service.catalog;
  for (const rule of await rules.after(0)) await rules.delete(rule);
});

async function useAccount(timeZone: string): Promise<void> {
  account = await service.addAccount(timeZone);
  video = { packageId: await account.addPackage(), accessKey: await account.addVideo() };
  await account.publish(video.packageId, video.accessKey);
}

async function play(at: string, count = 1, playMs = 60_000): Promise<void> {
  const beacons = Array.from({ length: count }, () => {
    views += 1;
    return { view: `view-${views}`, stretch: 0, at, playMs, ...video };
  });
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toMatchObject({ accepted: count });
}

const manage = (method: string, path: string, message?: object) =>
  service.manage(account.key, method, path, message);

async function create(path: '/alerts' | '/reports', fields: object) {
  const { status, body } = await manage('POST', path, { name: 'Watch', ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const toHook = () => ({ url: receiver.url });
const log = async () => (await manage('GET', '/deliveries')).body.list;
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));

/** Runs the rounds at an instant. The service has rounds of its own, which may come first. */
async function at(instant: string | number): Promise<void> {
  nowMs = typeof instant === 'number' ? nowMs + instant : Date.parse(instant);
  await rounds.run();
  await waitUntil('attempts are noted', async () =>
    (await log()).every(
      ({ error }: { error: string | null }) => !error?.includes('before the answer'),
    ),
  );
}

test('a day beyond a limit is sent once, signed, and again until it is taken', async () => {
  nowMs = Date.parse('2026-05-19T13:00:00Z');
  await useAccount('Asia/Seoul');
  const terms = { kind: 'threshold', measure: 'plays', above: 2 };
  const { secret, alertId } = await create('/alerts', { ...terms, ...toHook() });
  await play('2026-05-19T12:00:00Z', 3);
  // The day in Seoul ends at 15:00; then players have two minutes.
  await at('2026-05-19T14:59:00Z');
  await at('2026-05-19T15:01:59Z');
  expect(await log()).toEqual([]);

  receiver.statuses.push(503, 302);
  await at('2026-05-19T15:02:01Z');
  expect(await log()).toMatchObject([{ state: 'waiting', attempts: 1, status: 503 }]);
  await at(minuteMs - 1);
  expect(receiver.received).toHaveLength(1);
  await at(1);
  expect(await log()).toMatchObject([{ state: 'waiting', attempts: 2, status: 302 }]);
  await at(5 * minuteMs);
  expect(await log()).toMatchObject([{ state: 'delivered', attempts: 3, error: null, alertId }]);
  await at(60 * minuteMs);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);

  const last = receiver.received.at(-1);
  const headers = last?.headers as Record<string, string>;
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  const verified = new Webhook(secret).verify(last?.body ?? '', headers);
  expect(() => new Webhook(secret).verify(`${last?.body} `, headers)).toThrow('No matching');
  vi.useRealTimers();
  expect(verified).toMatchObject({
    type: 'alert.firing',
    data: { alertId, value: 3, from: '2026-05-18T15:00:00.000Z', to: '2026-05-19T15:00:00.000Z' },
  });

  await at('2026-05-20T15:03:00Z');
  await at('2026-05-21T15:03:00Z');
  expect(bodies().slice(3)).toMatchObject([{ type: 'alert.resolved', data: { value: 0 } }]);
});

test('a weekly report is sent once to each receiver, with the week before', async () => {
  nowMs = Date.parse('2026-05-15T12:00:00Z');
  await useAccount('Europe/Berlin');
  const { reportId } = await create('/reports', {
    ...{ every: 'week', measures: 'plays,playMs,viewers', dimension: 'video', hour: 6 },
    ...{ ...toHook(), mailTo: ['editor@example.com', 'chief@example.com'] },
  });
  nowMs = Date.parse('2026-05-18T01:00:00Z');
  await play('2026-05-10T22:00:00Z', 2);
  await play('2026-05-17T21:59:00Z', 1);
  await play('2026-05-10T21:59:00Z', 4);
  await at('2026-05-18T03:59:00Z');
  expect(await log()).toEqual([]);
  mailServer.refusals.push(451);
  await at('2026-05-18T04:00:00Z');
  expect(bodies()).toMatchObject([
    {
      type: 'report.ready',
      data: {
        ...{ reportId, sdate: '2026-05-11', edate: '2026-05-17' },
        totals: { plays: 3, playMs: 180_000 },
        viewerBasis: { named: 0, daily: 0, none: 3 },
        previous: { sdate: '2026-05-04', edate: '2026-05-10', totals: { plays: 4 } },
        list: [{ video: video.accessKey, videoTitle: 'Film', plays: 3 }],
      },
    },
  ]);
  const { mails } = mailServer;
  expect(mails).toHaveLength(1);
  expect((await log()).filter(({ state }: { state: string }) => state === 'waiting')).toMatchObject(
    [{ channel: 'mail', attempts: 1, status: 451, error: 'EENVELOPE (SMTP 451)' }],
  );
  await at(minuteMs);
  await at(60 * minuteMs);
  expect(mails.map(({ to }) => to).sort()).toEqual(['chief@example.com', 'editor@example.com']);
  expect(receiver.received).toHaveLength(1);
  const { messageId } = (await log()).find(
    ({ receiver: to }: { receiver: string }) => to === 'editor@example.com',
  );
  const { raw = '' } = mails.find(({ to }) => to === 'editor@example.com') ?? {};
  const mail = raw.replaceAll('=\r\n', '');
  expect(mail).toContain(`Message-ID: <${messageId}@example.com>`);
  expect(mail).toContain('Subject: Watch: 2026-05-11 to 2026-05-17');
  expect(mail).toContain('Content-Type: text/html');
  expect(mail).toContain('Plays: 3 (before: 4)');
  expect(mail).toContain('Views by how their viewer is known: 0 by a name from the page');
  expect(mail).toContain(`1. Film (${video.accessKey}): Plays 3, Playback time 0 h 3 min 0 s`);
});

test('a rule is paused, changed, tested and resumed, as its receivers see', async () => {
  nowMs = Date.parse('2026-05-19T12:00:00Z');
  await useAccount('UTC');
  expect((await manage('GET', '/delivery-channels')).body).toEqual({ mail: true });
  const { alertId } = await create('/alerts', { kind: 'silence', minutes: 5, ...toHook() });
  const change = (fields: object) => manage('PATCH', `/alerts/${alertId}`, fields);
  expect(await change({ isPaused: true })).toMatchObject({
    ...{ status: 200, body: { isPaused: true, minutes: 5, secret: null } },
  });
  await at('2026-05-19T12:10:00Z');
  expect(bodies()).toEqual([]);
  const tested = await manage('POST', `/alerts/${alertId}/test`);
  expect(tested).toMatchObject({ status: 200, body: { list: [{ alertId, type: 'alert.test' }] } });
  await at(1);
  expect(bodies()).toMatchObject([{ type: 'alert.test', data: { alertId, value: null } }]);
  const terms = { kind: 'drop', measure: 'plays', percent: 50 };
  expect((await change(terms)).body).toMatchObject({ ...terms, minutes: null, weeks: 4 });
  expect((await change({ percent: 40 })).body).toMatchObject({ ...terms, percent: 40 });
  expect((await change({ minutes: 5 })).status).toBe(400);
  expect((await change({ name: '' })).status).toBe(400);
  expect((await change({ isPaused: false })).body).toMatchObject({ isPaused: false });
  expect((await manage('PATCH', '/alerts/999', { isPaused: true })).status).toBe(404);

  const { reportId } = await create('/reports', {
    ...{ every: 'week', measures: 'plays', mailTo: ['editor@example.com'] },
  });
  const changed = await manage('PATCH', `/reports/${reportId}`, {
    dimension: 'video',
    ...toHook(),
  });
  expect(changed.body).toMatchObject({
    ...{ every: 'week', dimension: 'video', mailTo: ['editor@example.com'] },
    secret: expect.stringMatching(/^whsec_/),
  });
});

test('a message is replayed under the same id, and read with its body', async () => {
  nowMs = Date.parse('2026-05-19T12:00:00Z');
  await useAccount('UTC');
  const { alertId } = await create('/alerts', { kind: 'silence', minutes: 5, ...toHook() });
  receiver.statuses.push(410);
  await at('2026-05-19T12:01:00Z');
  expect(
    (await manage('GET', `/deliveries?alertId=${alertId}&state=failed`)).body.list,
  ).toHaveLength(1);
  const [{ deliveryId, messageId }] = await log();
  const replayed = await manage('POST', `/deliveries/${deliveryId}/replay`);
  expect(replayed).toMatchObject({ status: 200, body: { state: 'waiting', messageId } });
  await at(1);
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  const whole = (await manage('GET', `/deliveries/${deliveryId}`)).body;
  expect(whole).toMatchObject({ state: 'delivered', body: second?.body });

  const owner = account;
  account = await service.addAccount();
  for (const method of ['GET /deliveries/', 'POST /deliveries/', 'DELETE /alerts/']) {
    const [verb = '', path] = method.split(' ');
    const id = verb === 'DELETE' ? alertId : deliveryId;
    const { status } = await manage(verb, `${path}${id}${verb === 'POST' ? '/replay' : ''}`);
    expect(status).toBe(404);
  }
  expect(await log()).toEqual([]);
  account = owner;
  expect((await manage('DELETE', `/alerts/${alertId}`)).status).toBe(204);
  expect((await manage('POST', `/deliveries/${deliveryId}/replay`)).status).toBe(409);
  expect((await manage('GET', `/deliveries?alertId=1&reportId=1`)).status).toBe(400);
});

const threshold = { kind: 'threshold', measure: 'plays', above: 1 };
const report = { every: 'week', measures: 'plays' };
test.each<['/alerts' | '/reports', object, string]>([
  ['/alerts', { ...threshold }, 'url'],
  ['/alerts', { ...threshold, url: 'ftp://a.example' }, 'url'],
  ['/alerts', { ...threshold, url: 'https://a:b@a.example' }, 'url'],
  [
    '/alerts',
    { ...threshold, url: 'https://a.example', secret: `whsec_${'A'.repeat(33)}` },
    'secret',
  ],
  ['/alerts', { ...threshold, mailTo: ['a@b.example\r\nBcc: c@d.example'] }, 'mailTo.0'],
  ['/alerts', { ...threshold, name: 'A\r\nBcc: c@d.example', mailTo: ['a@b.example'] }, 'name'],
  ['/alerts', { ...threshold, below: 1, mailTo: ['a@b.example'] }, 'above'],
  ['/alerts', { ...threshold, minutes: 5, mailTo: ['a@b.example'] }, 'minutes'],
  ['/alerts', { ...threshold, filters: 'nothing', mailTo: ['a@b.example'] }, 'filters'],
  ['/alerts', { kind: 'drop', measure: 'plays', mailTo: ['a@b.example'] }, 'percent'],
  ['/alerts', { kind: 'silence', mailTo: ['a@b.example'] }, 'minutes'],
  ['/reports', { ...report, measures: 'clicks', mailTo: ['a@b.example'] }, 'measures'],
  ['/reports', { ...report, dimension: 'date', mailTo: ['a@b.example'] }, 'dimension'],
  ['/reports', { ...report, dimension: 'os,video', mailTo: ['a@b.example'] }, 'dimension'],
])('%s refuses %j', async (path, fields, parameter) => {
  const { status, body } = await manage('POST', path, { name: 'Wrong', ...fields });
  expect(status).toBe(400);
  expect(body.errors.map((error: { parameter: string }) => error.parameter)).toEqual([parameter]);
});

test('a key that expires, or may not read statistics, makes none', async () => {
  const { accountId } = account;
  const expiresAt = new Date(nowMs + 365 * 24 * 60 * minuteMs);
  const keys = [
    { scopes: ['manage'] as const },
    { scopes: ['manage', 'stats:read'] as const, expiresAt },
  ];
  for (const rights of keys) {
    const made = await service.catalog.keys.create({ accountId, ...rights });
    const key = made.ok ? made.value.secret : '';
    const owner = account;
    account = { ...account, key };
    const { status } = await manage('POST', '/alerts', { name: 'A', ...threshold, ...toHook() });
    expect(status).toBe(403);
    account = owner;
  }
});
