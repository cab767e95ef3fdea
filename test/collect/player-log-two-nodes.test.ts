/** The same range to two nodes at once is one; played again, it counts again. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBatches } from '../simulation/viewers.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const sessions = 30;
const sessionsAtOnce = 10;
const nodeCount = 2;
const copiesPerNode = 2;
const rangeSeconds = 5;
const startMs = Date.UTC(2026, 10, 20, 12, 5);

let clock: ManualClock;
let postgres: Postgres;
let nodes: TestService[] = [];
let account: TestAccount;
let ids: Readonly<Record<string, string | number>>;
beforeAll(async () => {
  clock = manualClock(startMs);
  postgres = await startPostgres();
  const environment = await nodeEnvironment(postgres);
  nodes = await Promise.all(
    Array.from({ length: nodeCount }, () =>
      startTestService({ clock: clock.readings, environment }),
    ),
  );
  account = await node(0).addAccount();
  // Many sessions under one `cs`, as an app writes them that draws its viewers itself.
  const { accounts } = node(0).catalog;
  await accounts.change(account.accountId, { takesUnsealed: true });
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const response = await node(0).request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await response.json()) as { statsInfo: typeof ids };
  ids = statsInfo;
});
afterAll(async () => {
  await Promise.all(nodes.map((one) => one.stop()));
  await postgres?.stop();
});

function node(index: number): TestService {
  return nodes[index % nodes.length] as TestService;
}

async function report(index: number, uid: string): Promise<void> {
  const { gid, pid, vid, cs } = ids;
  const data = JSON.stringify({ e: 'vi', gid, pid, vid, cs, uid, dst: 0, det: rangeSeconds });
  // No two arrive at one instant, or there would be nothing to agree about.
  clock.advance(1);
  const response = await node(index).request(
    `/play/api/videoPlays?${new URLSearchParams({ data })}`,
  );
  expect(await response.json()).toEqual({ errorInfo: { errorCode: 'None', errorMessage: '' } });
}

async function counted() {
  await node(0).facts.rollUp();
  const path = '/report/statistics/video/v1/info/date?sdate=2026-11-20&edate=2026-11-20';
  const { list } = await node(0).ask(path, account.key);
  return list.map(({ videoCount, duration }) => [videoCount, duration].map(Number));
}

test('a range that comes to both nodes at once counts once, each time that it was played', async () => {
  const viewers = Array.from({ length: sessions }, () => randomUUID());
  for (let time = 1; time <= 3; time += 1) {
    // Long enough for it to have been played again.
    clock.advance(60_000);
    for (const some of inBatches(viewers, sessionsAtOnce)) {
      const copies = Array.from({ length: nodeCount * copiesPerNode }, (_, copy) => copy);
      await Promise.all(some.flatMap((uid) => copies.map((copy) => report(copy, uid))));
    }
    expect(await counted()).toEqual([[sessions, time * sessions * rangeSeconds]]);
  }
});
