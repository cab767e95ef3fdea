/** Alerts and reports while sums lag behind the clock: nothing is said of what may still be added. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rounds, roundsBeside, secret } from '../support/notifying.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Sums only when a test asks. */
const pace = { everyMs: 2 ** 30, daysEveryMs: 2 ** 30 };

/** The service's clock, and that of a node that judges beside it: a step takes sums along. */
let nowMs = Date.now();
let judgingMs = nowMs;
let service: TestService;
let receiver: WebhookReceiver;
let rounds: Rounds;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({
    clock: { now: () => nowMs },
    pace,
    environment: { APP_SECRET: secret, WEBHOOK_NETWORKS: 'loopback' },
  });
  rounds = roundsBeside(service, () => judgingMs);
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

test.each([
  {
    what: 'silence',
    path: '/alerts',
    terms: { kind: 'silence', minutes: 30 },
    madeAt: '2026-05-19T12:00:00Z',
    lateAt: '2026-05-19T12:40:00Z',
    playedAt: '2026-05-19T12:35:00Z',
    thenAt: '2026-05-19T13:30:00Z',
    said: { type: 'alert.firing', data: { to: '2026-05-19T13:30:00.000Z' } },
  },
  {
    what: 'too few plays in an hour',
    path: '/alerts',
    terms: { kind: 'threshold', measure: 'plays', per: 'hour', below: 1 },
    madeAt: '2026-05-19T12:00:00Z',
    lateAt: '2026-05-19T13:05:00Z',
    playedAt: '2026-05-19T12:10:00Z',
    thenAt: '2026-05-19T14:05:00Z',
    said: { type: 'alert.firing', data: { from: '2026-05-19T13:00:00.000Z', value: 0 } },
  },
  {
    what: 'the plays of a week',
    path: '/reports',
    terms: { every: 'week', measures: 'plays', hour: 0 },
    madeAt: '2026-05-15T12:00:00Z',
    lateAt: '2026-05-18T00:30:00Z',
    playedAt: '2026-05-17T23:00:00Z',
    thenAt: '2026-05-18T00:30:00Z',
    said: { type: 'report.ready', data: { edate: '2026-05-17', totals: { plays: 2 } } },
  },
])('$what: reported once all of it is summed', async (rule) => {
  receiver.received.length = 0;
  const said = () => receiver.received.map(({ body }) => JSON.parse(body));
  const passTo = (instant: string) => {
    judgingMs = Date.parse(instant);
    nowMs = judgingMs;
  };
  passTo(rule.madeAt);
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const play = async (at: string) => {
    const beacon = { view: at, stretch: 0, at, playMs: 60_000, videoKey };
    const sent = await service.send([beacon], { 'x-api-key': account.key });
    expect(await sent.json()).toMatchObject({ accepted: 1 });
  };
  const fields = { name: 'Watch', ...rule.terms, url: receiver.url };
  expect((await service.manage(account.key, 'POST', rule.path, fields)).status).toBe(201);
  await play(new Date(nowMs - 120_000).toISOString());
  await rounds.run();

  judgingMs = Date.parse(rule.lateAt);
  await rounds.judge();
  expect(said()).toEqual([]);

  passTo(rule.lateAt);
  await play(rule.playedAt);
  await rounds.run();
  passTo(rule.thenAt);
  await rounds.run();
  expect(said()).toMatchObject([rule.said]);
});
