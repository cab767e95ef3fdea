/** Limits by key and by address on two nodes with one PostgreSQL. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/service.ts';

const perMinute = 300;
/** Of such a limit each node lets pass three before it asks. */
const [least, most] = [294, 312];
const questions = 6;

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
