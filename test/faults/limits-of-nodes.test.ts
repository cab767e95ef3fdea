/** Limits by key and by address on two nodes with one PostgreSQL, also while that is away. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const perMinute = 300;
/** Of such a limit each node lets pass three before it asks. */
const [least, most] = [294, 312];
const questions = 6;
const wrongKeys = 4;

let postgres: Postgres;
let nodes: TestService[];
beforeAll(async () => {
  postgres = await startPostgres();
  const environment = {
    ...(await nodeEnvironment(postgres)),
    TRUST_PROXY: 'loopback',
    RATE_LIMIT_PER_MINUTE: String(questions),
    COLLECT_LIMIT_PER_MINUTE: String(perMinute),
    PAGE_LIMIT_PER_MINUTE: String(perMinute),
    WRONG_KEY_LIMIT_PER_MINUTE: String(wrongKeys),
  };
  const start = () => startTestService({ environment });
  nodes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(nodes?.map((node) => node.stop()) ?? []);
  await postgres?.stop();
});

const nodeOf = (turn: number) => nodes[turn % nodes.length] as TestService;

let senders = 0;
/** An address that no other test uses. */
function newSender(): Record<string, string> {
  senders += 1;
  return { 'x-forwarded-for': `203.0.113.${senders}` };
}

/** Of pages, which ask no store: those that it keeps out are no answers of the API. */
const askForPage = (node: TestService, from: Record<string, string>) =>
  fetch(`${node.url}/tracker.js`, { headers: from });

/** How many of so many requests got each status. */
async function statusesOf(
  count: number,
  send: (turn: number) => Promise<Response>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let turn = 0; turn < count; turn += 1) {
    const { status } = await send(turn);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test('a key may ask so often, at whichever node, and each tells how often still', async () => {
  const { key } = await nodeOf(0).addAccount();
  for (let turn = 0; turn < questions; turn += 1) {
    const answer = await nodeOf(turn).get('/info/videopack/folder/v1/info.json', key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toMatch(`"key";r=${questions - 1 - turn};`);
  }
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await nodeOf(turn).get('/info/videopack/folder/v1/info.json', key);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('ratelimit')).toMatch('"key";r=0;');
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds > 0 && seconds <= 60).toBe(true);
  }
});

test('an address may try so many wrong keys, at whichever node', async () => {
  const from = newSender();
  const statuses: number[] = [];
  for (let turn = 0; turn < wrongKeys + 3; turn += 1) {
    const headers = { ...from, 'x-api-key': `wrong-${turn}` };
    statuses.push((await nodeOf(turn).request('/manage/v1/account', { headers })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429]);
});

test('an address may send so many beacons and ask for so many pages, at both together', async () => {
  const from = newSender();
  const beacons = await statusesOf(400, (turn) => nodeOf(turn).send([], from));
  const pages = await statusesOf(400, (turn) => askForPage(nodeOf(turn), from));
  for (const statuses of [beacons, pages]) {
    const { 200: passed = 0, 429: refused = 0 } = statuses;
    expect(passed + refused).toBe(400);
    expect(passed).toBeGreaterThanOrEqual(least);
    expect(passed).toBeLessThanOrEqual(most);
  }
});

/** Whether limits of nodes were counted by each alone at the last question. */
async function areAlone(): Promise<boolean[]> {
  const texts = await Promise.all(
    nodes.map(async (node) => (await node.request('/metrics')).text()),
  );
  return texts.map((text) => /^playmeter_limits_alone 1$/m.test(text));
}

async function expectEachAlone(): Promise<void> {
  for (const node of nodes) {
    const from = newSender();
    const { 200: passed = 0, 429: refused = 0 } = await statusesOf(400, () =>
      askForPage(node, from),
    );
    // Its own limit, and what it lets pass without asking.
    expect(passed + refused).toBe(400);
    expect(passed).toBeGreaterThanOrEqual(perMinute);
    expect(passed).toBeLessThanOrEqual(306);
  }
  expect(await areAlone()).toEqual([true, true]);
}

async function expectTogether(): Promise<void> {
  await waitUntil('both to count together', async () => {
    // What asks for a point each time.
    const from = newSender();
    for (const node of nodes) {
      for (let sent = 0; sent < 4; sent += 1) await askForPage(node, from);
    }
    return (await areAlone()).every((isAlone) => !isAlone);
  });
}

test('without PostgreSQL, or while it hangs, each node goes on and limits by itself', async () => {
  await postgres.kill();
  await expectEachAlone();
  await postgres.start();
  await expectTogether();
  const goOn = await postgres.freeze();
  try {
    await expectEachAlone();
  } finally {
    goOn();
  }
  await expectTogether();
});
