/**
 * kill -9 of the engine and of the whole service in mid-load, ten times each: nothing acknowledged
 * is missing, nothing counted twice, and the service works again without anybody's help.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Load, startLoad } from './load.ts';

const kills = 10;
const acknowledgedBetweenKills = 30;

let service: ServiceProcess;
let load: Load;
beforeAll(async () => {
  service = await startServiceProcess();
  load = await startLoad(service);
});
afterAll(async () => {
  await load?.stop();
  await service?.remove();
});

test('the engine is killed in mid-load', async () => {
  for (let kill = 1; kill <= kills; kill += 1) {
    await moreAcknowledged();
    const engine = service.engineProcesses().at(-1) ?? 0;
    const before = service.engineProcesses().length;
    process.kill(engine, 'SIGKILL');
    await waitUntil('another engine', () => service.engineProcesses().length > before);
  }
  await moreAcknowledged();
  // The ledger holds all that was acknowledged, and no more than was sent.
  const { answered } = load.requests();
  const { received, counted, refused } = await load.ledger();
  expect(received).toBe(counted + refused);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(received).toBeLessThanOrEqual(load.requests().posted);
}, 180_000);

test('the service is killed in mid-load and leaves no engine behind', async () => {
  for (let kill = 1; kill <= kills; kill += 1) {
    await moreAcknowledged();
    const engine = service.engineProcesses().at(-1) ?? 0;
    await service.kill('SIGKILL');
    await waitUntil('the end of its engine', () => !isAlive(engine));
    await service.start();
  }
  await moreAcknowledged();
}, 180_000);

test('what was acknowledged is counted, once', async () => {
  await load.stop();
  const stoppedAt = Date.now();
  await waitUntil('answers complete through the end of the load', async () => {
    const { completeThrough } = await load.ask();
    return completeThrough > stoppedAt;
  });
  const { retried, sentOnce } = await load.ask();
  expect(retried).toEqual(load.retried.acknowledged());
  const { acknowledged, sent } = load.sentOnce;
  expect(sentOnce.plays).toBeGreaterThanOrEqual(acknowledged().plays);
  expect(sentOnce.plays).toBeLessThanOrEqual(sent().plays);
  expect(sentOnce.seconds).toBeGreaterThanOrEqual(acknowledged().seconds);
  expect(sentOnce.seconds).toBeLessThanOrEqual(sent().seconds);
  expect(acknowledged().plays).toBeGreaterThan(kills * acknowledgedBetweenKills);
  expect(sent().plays).toBeGreaterThan(acknowledged().plays);
}, 60_000);

async function moreAcknowledged(): Promise<void> {
  const goal = load.sentOnce.acknowledged().plays + acknowledgedBetweenKills;
  await waitUntil('more acknowledgements', () => load.sentOnce.acknowledged().plays >= goal);
}
