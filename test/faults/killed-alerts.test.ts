/** Two processes judge the same alerts: each is sent once, and nothing is lost when one is killed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backOffMs } from '../../src/catalog/alerts/deliveries.ts';
import { type Database, openDatabase } from '../../src/catalog/database/database.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** More than a node claims at once. */
const alerts = 30;

let postgres: Postgres;
let receiver: WebhookReceiver;
let one: ServiceProcess;
let other: ServiceProcess;
let account: TestAccount;
let videoKey: string;
let database: Database;
beforeAll(async () => {
  [postgres, receiver] = await Promise.all([startPostgres(), startWebhookReceiver()]);
  const engine = engineAccess();
  const common = await nodeEnvironment(postgres);
  const environment = {
    ...common,
    ...{ CLICKHOUSE_URL: engine.url, WEBHOOK_NETWORKS: 'loopback' },
    ...{ CLICKHOUSE_USER: engine.username, CLICKHOUSE_PASSWORD: engine.password },
  };
  one = await startServiceProcess(environment);
  other = await startServiceProcess(environment, { joins: true });
  account = await addProcessAccount(one, 'UTC');
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  for (let number = 0; number < alerts; number += 1) {
    const alert = { kind: 'silence', minutes: 5, filters: null, url: receiver.url };
    const { status } = await call(one, 'POST', '/alerts', { name: `Quiet ${number}`, ...alert });
    expect(status).toBe(201);
  }
  database = openDatabase({ databaseUrl: common.DATABASE_URL ?? '' }, systemClock);
});
afterAll(async () => {
  await Promise.all([one?.remove(), other?.remove()]);
  await receiver?.close();
  await database?.kysely.destroy();
  await postgres?.stop();
});

/**
 * Each set back by another time: whoever has read a rule, and is slow, must not find it as it was,
 * as it never is where time passes by itself.
 */
let passed = 0;

/** As if all had been judged, and attempted, a minute earlier: when both are done once more. */
async function passMinute(): Promise<void> {
  const minuteMs = backOffMs(1, 'webhook');
  passed += 1;
  const { kysely } = database;
  await kysely
    .updateTable('rules')
    .set((is) => ({ judgedThroughMs: is('judgedThroughMs', '-', minuteMs + passed) }))
    .execute();
  await kysely
    .updateTable('deliveries')
    .set((is) => ({ nextAtMs: is('nextAtMs', '-', minuteMs) }))
    .where('state', '=', 'waiting')
    .execute();
}

async function call(service: ServiceProcess, method: string, path: string, message?: object) {
  const response = await fetch(`${service.url}/manage/v1${path}`, {
    ...{ method, headers: { 'x-api-key': account.key, 'content-type': 'application/json' } },
    ...(message && { body: JSON.stringify(message) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

interface Delivery {
  readonly type: string;
  readonly state: string;
  readonly messageId: string;
}

const deliveriesOf = async (service: ServiceProcess, type: string): Promise<Delivery[]> =>
  (await call(service, 'GET', '/deliveries')).body.list.filter(
    (delivery: Delivery) => delivery.type === type,
  );

async function allDelivered(service: ServiceProcess, type: string): Promise<Delivery[]> {
  await waitUntil(`${alerts} messages`, async () => {
    const found = await deliveriesOf(service, type);
    return found.length >= alerts && found.every(({ state }) => state === 'delivered');
  });
  return deliveriesOf(service, type);
}

/** Message ids of this type that came, each as often as it did; and which alerts they are about. */
function received(type: string) {
  const messages = receiver.received
    .map(({ headers, body }) => ({ id: String(headers['webhook-id']), ...JSON.parse(body) }))
    .filter((message) => message.type === type);
  const ids = messages.map(({ id }) => id as string);
  const about = new Map(messages.map(({ id, data }) => [id as string, data.alertId as number]));
  return { ids, alertIds: [...about.values()] };
}

test('two processes tell each alert once', async () => {
  await passMinute();
  const delivered = await allDelivered(one, 'alert.firing');
  const { ids, alertIds } = received('alert.firing');
  expect(ids.toSorted()).toEqual(delivered.map(({ messageId }) => messageId).sort());
  expect(new Set(alertIds).size).toBe(alerts);
  // Both have judged and looked for what is due since.
  expect(await deliveriesOf(other, 'alert.firing')).toHaveLength(alerts);
});

test('killed while its messages are under way, and what it took is sent by the other', async () => {
  // No attempt gets an answer until one of the two is gone.
  receiver.statuses.push(...Array.from({ length: 2 * alerts }, () => 0));
  // Within the minutes that are judged next.
  const at = new Date(Date.now() - 2 * backOffMs(1, 'webhook')).toISOString();
  const beacons = [{ view: 'one', stretch: 0, at, playMs: 1_000, videoKey }];
  await passMinute();
  const sent = await fetch(`${one.url}/collect/v1/beacons`, {
    ...{ method: 'POST', headers: { 'x-api-key': account.key } },
    body: JSON.stringify({ beacons }),
  });
  expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
  await waitUntil('the first message', () => received('alert.resolved').ids.length > 0);
  await one.kill('SIGKILL');
  receiver.statuses.length = 0;
  await passMinute();

  const delivered = await allDelivered(other, 'alert.resolved');
  expect(delivered).toHaveLength(alerts);
  const { ids, alertIds } = received('alert.resolved');
  expect(alertIds.toSorted((a, b) => a - b)).toEqual(
    [...new Set(alertIds)].toSorted((a, b) => a - b),
  );
  // Those that were under way came again under their own ids, and no other ids came.
  expect([...new Set(ids)].sort()).toEqual(delivered.map(({ messageId }) => messageId).sort());
  expect(ids.length).toBeGreaterThan(alerts);
});
