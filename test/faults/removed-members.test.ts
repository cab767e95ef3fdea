/** Three nodes of one service, each a process of its own: whom one turns away, all turn away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { becomeFirst, dashboard } from '../support/people.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { engineAccess } from '../support/shared-parts.ts';

/** How long another node may go on letting somebody in. */
const withinMs = 1_000;

let postgres: Postgres;
const nodes: ServiceProcess[] = [];
let operator: Readonly<Record<string, string>>;
let accountId: number;
beforeAll(async () => {
  postgres = await startPostgres();
  const { url, username, password } = engineAccess();
  const environment = {
    ...(await nodeEnvironment(postgres)),
    ...{ CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password },
  };
  const first = await startServiceProcess(environment);
  nodes.push(first);
  operator = await becomeFirst(first);
  accountId = (await send(first, 'GET', '/session')).body.accountId;
  const join = () => startServiceProcess(environment, { joins: true });
  nodes.push(...(await Promise.all([join(), join()])));
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.remove()));
  await postgres?.stop();
});

async function send(
  node: ServiceProcess,
  method: string,
  path: string,
  message?: object,
  headers: Readonly<Record<string, string>> = operator,
) {
  const response = await fetch(node.url + path, {
    method,
    headers: { ...dashboard, ...headers, ...(message && { 'content-type': 'application/json' }) },
    ...(message && { body: JSON.stringify(message) }),
  });
  const text = await response.text();
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), cookie };
}

let invited = 0;
/** Somebody who was invited at one node and joins at another. */
async function addMember() {
  invited += 1;
  const email = `lee${invited}@example.com`;
  const made = await send(at(invited), 'POST', '/manage/v1/invitations', {
    email,
    role: 'analyst',
  });
  const invitation = String(made.body.path).replace('/#invitation=', '');
  const person = { name: 'Lee', password: 'three river stones' };
  const joining = { invitation, ...person };
  const joined = await send(at(invited + 1), 'POST', '/session/acceptance', joining, {});
  return { personId: joined.body.person.personId, headers: { cookie: joined.cookie } };
}

const at = (turn: number) => nodes[turn % nodes.length] as ServiceProcess;
const statuses = (headers: Readonly<Record<string, string>>) =>
  Promise.all(
    nodes.map(async (node) => {
      const path = '/manage/v1/account';
      return (await send(node, 'GET', path, undefined, headers)).status;
    }),
  );

/** What is asked later than a second after this was answered. */
async function afterASecond(answer: Promise<{ readonly status: number }>): Promise<void> {
  expect((await answer).status).toBe(204);
  const answeredAtMs = performance.now();
  while (performance.now() - answeredAtMs <= withinMs) await sleep(10);
}

test.each([0, 1, 2])(
  'a member whom node %i removes is out on all of them within a second',
  async (turn) => {
    const { personId, headers } = await addMember();
    expect(await statuses(headers)).toEqual([200, 200, 200]);
    await afterASecond(send(at(turn), 'DELETE', `/manage/v1/members/${personId}`));
    expect(await statuses(headers)).toEqual([401, 401, 401]);
  },
);

test('so are the keys and members of an account that is closed', async () => {
  const { headers } = await addMember();
  const key = { 'x-api-key': nodes[0]?.key ?? '' };
  expect([await statuses(headers), await statuses(key)]).toEqual([
    [200, 200, 200],
    [200, 200, 200],
  ]);
  const path = `/manage/v1/service/accounts/${accountId}/closure`;
  await afterASecond(send(at(1), 'PUT', path, { name: 'First account' }));
  expect([await statuses(headers), await statuses(key)]).toEqual([
    [401, 401, 401],
    [401, 401, 401],
  ]);
});
