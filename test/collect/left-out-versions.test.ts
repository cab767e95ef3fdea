/** A version without room at one node, and the same beacon sent again to another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const hourMs = 3_600_000;
const now = Date.now();
/** Not near midnight: the stretch ends on the day on which it begins. */
const at = new Date(now - (now % (24 * hourMs)) - 12 * hourMs);
const day = at.toISOString().slice(0, 10);

let postgres: Postgres;
let environment: Readonly<Record<string, string>>;
let nodes: TestService[] = [];
let account: TestAccount;
beforeAll(async () => {
  postgres = await startPostgres();
  environment = {
    ...(await nodeEnvironment(postgres)),
    ...{ TRUST_PROXY: 'loopback', VERSIONS_PER_DAY: '4', NEW_VALUES_BY_ADDRESS: '1' },
  };
  nodes = [await startNode(), await startNode()];
  account = await node(0).addAccount();
});
afterAll(async () => {
  await Promise.all(nodes.map((one) => one.stop()));
  await postgres?.stop();
});

const startNode = () => startTestService({ environment });

function node(index: number): TestService {
  return nodes[index] ?? expect.fail('there are two');
}

async function playsByVersion(service: TestService): Promise<Record<string, number>> {
  await service.facts.rollUp();
  const path = `/report/statistics/video/v1/os/detail?sdate=${day}&edate=${day}&os=iOS`;
  const { list } = await service.ask(path, account.key);
  return Object.fromEntries(list.map((row) => [row.detail, Number(row.videoCount)]));
}

test('it counts once, also after the node has been started again', async () => {
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const report = async (service: TestService, from: string, view: string, version: string) => {
    const beacon = {
      ...{ view, stretch: 0, at: at.toISOString(), playMs: 1_000, videoKey },
      ...{ platform: 'iOS', platformVersion: version },
    };
    const answer = await service.send([beacon], { 'x-forwarded-for': from });
    expect(await answer.json()).toEqual({ accepted: 1, rejected: [] });
  };
  // Two versions are anybody's; of the others the address may bring one.
  const [busy, viewer] = ['192.0.2.1', '192.0.2.2'];
  for (const version of ['15.1', '15.2', '15.3', '17.1']) {
    await report(node(0), busy, `view-${version}`, version);
  }
  expect(await playsByVersion(node(0))).toEqual({ '15.1': 1, '15.2': 1, '15.3': 1, Other: 1 });

  // Somebody else brings the version to the other node, which names it from then on.
  await report(node(1), viewer, 'another-view', '17.1');
  const counted = { '15.1': 1, '15.2': 1, '15.3': 1, '17.1': 1, Other: 1 };
  for (let time = 0; time < 2; time += 1) {
    await report(node(1), viewer, 'view-17.1', '17.1');
    expect(await playsByVersion(node(1))).toEqual(counted);
    await node(1).stop();
    nodes[1] = await startNode();
  }
});
