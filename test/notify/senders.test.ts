/** Where webhooks are not sent, how long an attempt may take, and what a mail server receives. */
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createSendMail, mailAttemptMs } from '../../src/alerts/delivery/mail-sender.ts';
import { postWebhook } from '../../src/alerts/delivery/webhook.ts';
import {
  createWebhookSealer,
  drawWebhookSecret,
} from '../../src/alerts/delivery/webhook-secret.ts';
import { createSenders } from '../../src/app/parts/alert-senders.ts';
import type { ClaimedDelivery } from '../../src/catalog/catalog.ts';
import { readConfig } from '../../src/config/config.ts';
import { readNetworks } from '../../src/lib/network/network-list.ts';
import { manualClock } from '../support/manual-clock.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const secret = 'a secret of the service, for its tests';
const sealer = createWebhookSealer(secret);
const clock = manualClock();
let receiver: WebhookReceiver;
let port: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  port = new URL(receiver.url).port;
});
afterAll(() => receiver.close());

function deliveryTo(url: string): ClaimedDelivery {
  return {
    ...{ deliveryId: 1, accountId: 1, ruleId: 1, subject: 'alert', messageId: 'msg_1' },
    ...{ channel: 'webhook', receiver: url, type: 'alert.firing', state: 'waiting', attempts: 1 },
    ...{ createdAt: new Date(0), attemptedAt: undefined, nextAttemptAt: undefined },
    ...{ status: undefined, error: undefined, body: '{}' },
    ...{ sealedSecret: sealer.seal(drawWebhookSecret()), accountName: 'Studio' },
  };
}

test.each([
  ['https://127.0.0.1:PORT/', 'not public'],
  ['http://localhost:PORT/', 'without TLS'],
])('%s is not connected to, as the service is set up', async (url, why) => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-senders-'));
  const { webhook } = createSenders(readConfig({ DATA_DIR: folder }), { secret, clock });
  const before = receiver.connections();
  const attempt = await webhook?.(deliveryTo(url.replace('PORT', port)));
  expect(attempt).toMatchObject({ isDelivered: false, error: expect.stringContaining(why) });
  expect(receiver.connections()).toBe(before);
});

test('a name is connected to at the addresses that were checked, whatever it means later', async () => {
  const own = readNetworks('loopback');
  if (!own) throw new Error('loopback');
  // First an address that may be reached; a second look-up would find one that may not.
  const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1'];
  const asked: string[] = [];
  const policy = {
    ownNetworks: own,
    resolve: (
      name: string,
      done: (error: null, found: { address: string; family: 4 }[]) => void,
    ) => {
      asked.push(name);
      done(null, [{ address: answers.shift() ?? '10.0.0.1', family: 4 }]);
    },
  };
  const url = `http://hooks.example:${port}/hook`;
  const post = () => postWebhook(deliveryTo(url), { policy, sealer, clock });
  expect(await post()).toMatchObject({ isDelivered: true, status: 204 });
  expect(await post()).toMatchObject({ isDelivered: true });
  expect(asked).toEqual(['hooks.example', 'hooks.example']);
  expect(await post()).toMatchObject({ isDelivered: false, status: undefined });
  expect(receiver.received).toHaveLength(2);
});

test('a receiver that does not answer is left after ten seconds', async () => {
  receiver.statuses.push(0);
  const before = receiver.received.length;
  const parts = { policy: { ownNetworks: () => true }, sealer, clock };
  const posting = postWebhook(deliveryTo(receiver.url), parts);
  await waitUntil('the message is there', () => receiver.received.length > before);
  clock.advance(9_999);
  expect(clock.waiting()).toBe(1);
  clock.advance(1);
  expect(await posting).toMatchObject({ isDelivered: false, error: 'no answer within 10 s' });
  expect(clock.waiting()).toBe(0);
});

test('a secret that another APP_SECRET sealed signs nothing', async () => {
  const parts = { policy: { ownNetworks: () => true }, sealer: createWebhookSealer('b'), clock };
  const attempt = await postWebhook(deliveryTo(receiver.url), parts);
  expect(attempt).toMatchObject({ error: expect.stringContaining('APP_SECRET') });
});

/** A mail server on this machine that hears and answers as it is told; its port. */
async function startMailServer(hear: (socket: Socket, said: string) => void): Promise<number> {
  const server: Server = createServer((socket: Socket) => {
    socket.write('220 mail\r\n');
    socket.on('data', (data) => hear(socket, data.toString()));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

function sendMail(url: string) {
  const countrySource = { description: '' };
  const settings = { from: 'a@example.com', clock, countrySource, publicUrl: undefined };
  const body = JSON.stringify({
    type: 'alert.firing',
    data: {
      ...{ alertId: 1, name: 'A', timeZone: 'UTC', value: null, expected: null },
      ...{ from: '2026-05-19T11:00:00Z', to: '2026-05-19T12:00:00Z' },
      terms: { kind: 'silence', minutes: 30, filters: null },
    },
  });
  return createSendMail({ url, ...settings })({
    ...{ receiver: 'b@example.com', messageId: 'msg_1', body },
    ...{ accountId: 1, accountName: 'Studio' },
  });
}

test('a mail server may take two minutes to answer once it has the text, and no longer', async () => {
  const boundingSilence = vi.spyOn(Socket.prototype, 'setTimeout');
  onTestFinished(() => boundingSilence.mockRestore());
  /** Of texts that it has. */
  const answers: (() => void)[] = [];
  let isText = false;
  const mailPort = await startMailServer((socket, said) => {
    if (said.endsWith('\r\n.\r\n')) answers.push(() => socket.write('250 taken\r\n'));
    else if (!isText) socket.write(said.startsWith('DATA') ? '354 go on\r\n' : '250 well\r\n');
    isText = !said.endsWith('\r\n.\r\n') && (isText || said.startsWith('DATA'));
  });
  const url = `smtp://127.0.0.1:${mailPort}`;
  const taking = sendMail(url);
  await waitUntil('the text is there', () => answers.length === 1);
  const { calls, contexts } = boundingSilence.mock;
  // Other sockets of this process have bounds of their own.
  const bounds = calls.filter((_, call) => (contexts[call] as Socket).remotePort === mailPort);
  expect(bounds.at(-1)?.[0]).toBeGreaterThan(mailAttemptMs);
  clock.advance(mailAttemptMs - 1);
  expect(clock.waiting()).toBe(1);
  answers[0]?.();
  expect(await taking).toMatchObject({ isDelivered: true, status: 250 });
  expect(clock.waiting()).toBe(0);
  const tooLate = sendMail(url);
  await waitUntil('the text is there', () => answers.length === 2);
  clock.advance(mailAttemptMs);
  expect(await tooLate).toEqual({
    ...{ isDelivered: false, isFinal: false, status: undefined },
    error: 'no answer within 120 s',
  });
});

test('a password is not sent to a mail server without TLS, nor shown', async () => {
  const said: string[] = [];
  const mailPort = await startMailServer((socket, words) => {
    said.push(words);
    socket.write(words.startsWith('EHLO') ? '250 AUTH PLAIN\r\n' : '502 no\r\n');
  });
  // Reaches this machine, but is none of the addresses for which TLS is not asked.
  const attempt = await sendMail(`smtp://user:hidden@0.0.0.0:${mailPort}`);
  expect(attempt).toMatchObject({ isDelivered: false, error: expect.stringContaining('E') });
  expect(said.join('')).toContain('STARTTLS');
  expect(said.join('')).not.toContain('AUTH');
  expect(JSON.stringify(attempt)).not.toContain('hidden');
});
