/** The ledger after kill -9: whatever was acknowledged is accounted for, once. */
import { expect, onTestFinished, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';

test('each acknowledged beacon is in the ledger after every kill, and no beacon twice', async () => {
  const service = await startServiceProcess();
  onTestFinished(() => service.remove());
  const [, videoKey] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  const headers = { 'x-api-key': service.key };
  let view = 0;
  const send = async (count: number) => {
    const at = new Date().toISOString();
    const beacons = Array.from({ length: count }, () => {
      view += 1;
      return { view: `v${view}`, stretch: 0, at, playMs: 1_000, videoKey };
    });
    const body = JSON.stringify({ beacons });
    const response = await fetch(`${service.url}/collect/v1/beacons`, {
      ...{ method: 'POST', headers, body },
    });
    expect(await response.json()).toEqual({ accepted: count, rejected: [] });
  };
  /** Over the days, so that midnight makes no difference. */
  const counted = async () => {
    const range = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const [first = '', last = ''] = range.map((instant) => instant.slice(0, 10));
    const url = `${service.url}/manage/v1/ledger?sdate=${first}&edate=${last}`;
    const { list } = (await (await fetch(url, { headers })).json()) as {
      list: { received: number; counted: number }[];
    };
    for (const day of list) expect(day.received).toBe(day.counted);
    return list.reduce((sum, { counted }) => sum + counted, 0);
  };
  let acknowledged = 0;
  for (let round = 0; round < 4; round += 1) {
    for (let request = 0; request < 15; request += 1) {
      await send(round % 2 === 0 ? 25 : 1);
      acknowledged += round % 2 === 0 ? 25 : 1;
    }
    await service.kill('SIGKILL');
    await service.start();
    expect(await counted()).toBe(acknowledged);
  }
  await service.kill('SIGTERM');
  await service.start();
  expect(await counted()).toBe(acknowledged);
});
