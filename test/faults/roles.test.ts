/** Nodes that divide the work: one collects, one rolls up, one answers; one service together. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let postgres: Postgres;
let environment: Record<string, string>;
let collecting: TestService;
let reporting: TestService;
let rollingUp: TestService | undefined;
let account: TestAccount;
beforeAll(async () => {
  postgres = await startPostgres();
  environment = await nodeEnvironment(postgres);
  collecting = await startTestService({ environment, role: 'collect' });
  account = await collecting.addAccount('Asia/Seoul');
  reporting = await startTestService({ environment, role: 'report', waitsForStores: false });
});
afterAll(async () => {
  await Promise.all([collecting?.stop(), reporting?.stop(), rollingUp?.stop()]);
  await postgres?.stop();
});

const route = '/report/statistics/video/v1/info/date';
const ofPlayers = [
  ['POST', '/collect/v1/beacons'],
  ['GET', '/tracker.js'],
  ['GET', '/play.js'],
];
const ofPeople = [
  ['GET', `${route}?sdate=2026-05-01&edate=2026-05-08`],
  ['GET', '/manage/v1/account'],
  ['GET', '/'],
];

test('while no node rolls up, none answers questions, and beacons are taken', async () => {
  expect((await collecting.request('/readyz')).status).toBe(200);
  expect((await reporting.request('/readyz')).status).toBe(503);
  const [, question = ''] = ofPeople[0] ?? [];
  expect((await reporting.get(question, account.key)).status).toBe(503);
});

test('each answers its own paths alone, and says who answers the others', async () => {
  rollingUp = await startTestService({ environment, role: 'roll-up' });
  await reporting.facts.ready();
  const others: [TestService, string, string[][]][] = [
    [collecting, 'report', ofPeople],
    [reporting, 'collect', ofPlayers],
    [rollingUp, 'report', ofPeople],
    [rollingUp, 'collect', ofPlayers],
  ];
  for (const [node, right, requests] of others) {
    for (const [method = '', path] of requests) {
      const answer = await fetch(node.url + path, { method });
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(await answer.text()).toContain(`nodes with the role ${right} or all`);
    }
  }
  for (const node of [collecting, reporting, rollingUp]) {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await node.request(path)).status).toBe(200);
    }
    expect((await fetch(`${node.url}/nothing/here`)).status).toBe(404);
  }
});

test('what one collects the other answers, through what the third has summed', async () => {
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(packageId, accessKey);
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const question = `${route}?sdate=${today}&edate=${tomorrow}&accessKey=${accessKey}`;
  for (let round = 1; round <= 8; round += 1) {
    const at = new Date().toISOString();
    const sent = await collecting.send([
      { view: `view-${round}`, stretch: 0, at, playMs: 1_000, videoKey },
    ]);
    expect(sent.status).toBe(200);
    const acknowledgedAt = Date.now();
    let plays = 0;
    await waitUntil('an answer complete through it', async () => {
      const answer = await reporting.get(question, account.key);
      const { data } = (await answer.json()) as { data: { list: { videoCount: string }[] } };
      plays = data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
      return Date.parse(answer.headers.get('complete-through') ?? '') > acknowledgedAt;
    });
    expect(plays).toBe(round);
  }
});
