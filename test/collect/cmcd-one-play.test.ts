/** Many requests of one view at once, to two nodes: whatever each of them sees, one play counts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inBatches } from '../simulation/viewers.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const views = 40;
/** Views at once: with more of them, one write takes up all that one view sends. */
const viewsAtOnce = 10;
const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 20, 12, 59, 30);

let clock: ManualClock;
let postgres: Postgres;
let nodes: TestService[] = [];
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  clock = manualClock(startMs + 10 * minuteMs);
  postgres = await startPostgres();
  const environment = await nodeEnvironment(postgres);
  nodes = [
    await startTestService({ clock: clock.readings, environment }),
    await startTestService({ clock: clock.readings, environment }),
  ];
});
afterAll(async () => {
  await Promise.all(nodes.map((one) => one.stop()));
  await postgres?.stop();
});
beforeEach(async () => {
  account = await node(0).addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

type Line = [sn: number, sta: string, ms: number];

function node(index: number): TestService {
  return nodes[index % nodes.length] as TestService;
}

async function post(index: number, sid: string, lines: readonly Line[]): Promise<void> {
  const body = lines
    .map(([sn, sta, ms]) => `e=ps,sid="${sid}",sn=${sn},sta=${sta},ts=${startMs + ms},v=2`)
    .join('\n');
  const response = await node(index).request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd' },
    body,
  });
  expect(await response.json()).toEqual({ accepted: lines.length, rejected: [] });
}

async function plays(): Promise<number> {
  await node(0).facts.rollUp();
  const path = '/report/statistics/video/v1/os?sdate=2026-11-20&edate=2026-11-20';
  const { list } = await node(0).ask(path, account.key);
  return list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}

test.each<[string, readonly (readonly Line[])[]]>([
  [
    'the clock of the device is set back between two events',
    [
      [
        [0, 's', 0],
        [1, 'p', 1_000],
      ],
      [
        [2, 'p', -20 * minuteMs],
        [3, 'a', -19 * minuteMs],
      ],
      [
        [0, 's', 0],
        [1, 'p', 1_000],
        [2, 'p', -20 * minuteMs],
      ],
    ],
  ],
  [
    'two loads of one session at once',
    [
      [
        [0, 's', 0],
        [1, 'p', 100],
        [2, 'a', 20_000],
      ],
      [
        [0, 's', -20 * minuteMs],
        [1, 'p', 200 - 20 * minuteMs],
        [2, 'a', 20_000 - 20 * minuteMs],
      ],
    ],
  ],
  [
    'the first event alone shows a play, over and over',
    Array.from({ length: 4 }, (_, load) => [[0, 'p', -load * 16 * minuteMs]] as const),
  ],
])('%s', async (_name, batches) => {
  const sessions = Array.from({ length: views }, () => randomUUID());
  const sendAll = async (offset: number) => {
    for (const some of inBatches(sessions, viewsAtOnce)) {
      await Promise.all(
        some.flatMap((sid) => batches.map((lines, batch) => post(offset + batch, sid, lines))),
      );
    }
  };
  await sendAll(0);
  expect(await plays()).toBe(views);
  // All of it once more, to the other node.
  await sendAll(1);
  expect(await plays()).toBe(views);
});
