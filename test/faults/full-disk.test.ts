/** A full disk: 503 for who sends, no wrong answer, and everything again afterwards. */
import { expect, onTestFinished, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

test('on a full disk senders get 503, and no answer is less than the truth', async () => {
  const disk = await mountSmallDisk(256);
  onTestFinished(() => disk.remove());
  const service = await startServiceProcess({}, { disk });
  onTestFinished(() => service.remove());
  const [, videoKey] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  let view = 0;
  // The day stays the same, also past midnight.
  const [today = ''] = new Date().toISOString().split('T');
  const send = async () => {
    view += 1;
    const at = `${today}T00:00:00.000Z`;
    const beacons = [{ view: `v${view}`, stretch: 0, at, playMs: 1_000, videoKey }];
    const response = await fetch(`${service.url}/collect/v1/beacons`, {
      method: 'POST',
      body: JSON.stringify({ beacons }),
    });
    await response.text();
    const retryAfter = Number(response.headers.get('retry-after'));
    return { status: response.status, retryAfter };
  };
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const ask = async () => {
    const search = `measures=plays,viewers&dimensions=date&sdate=${today}&edate=${today}`;
    const url = `${service.url}/report/statistics/video/v2/query?${search}`;
    const response = await fetch(url, { headers: { 'x-api-key': service.key } });
    const { data } = (await response.json()) as { data?: { list: { plays: number }[] } };
    return response.status === 503 ? 'refused' : data?.list.map(({ plays }) => plays);
  };
  expect((await send()).status).toBe(200);
  await expect.poll(ask).toEqual([1]);
  expect(await metric('playmeter_disk_size_bytes')).toBe(256 * 1_048_576);
  expect(await metric('playmeter_disk_free_bytes')).toBeGreaterThan(0);
  expect(await metric('playmeter_disk_full')).toBe(0);

  await disk.fill();
  // What still fits into the journal's last block is kept and acknowledged.
  await expect.poll(async () => (await send()).status).toBe(503);
  const answers = [await send(), await send(), await send()];
  expect(answers).toEqual(answers.map(() => expect.objectContaining({ status: 503 })));
  for (const { retryAfter } of answers) expect(retryAfter).toBeGreaterThan(0);
  expect(await metric('playmeter_disk_full')).toBe(1);
  const refused = 'playmeter_requests_unavailable_total{reason="disk"}';
  expect(await metric(refused)).toBeGreaterThanOrEqual(answers.length);
  const isReady = async (purpose: string) =>
    (await fetch(`${service.url}/readyz?for=${purpose}`)).status;
  expect(await isReady('collect')).toBe(503);
  // Those that were acknowledged at last may still wait for the store.
  const isRight = (plays: unknown) =>
    plays === 'refused' || (Array.isArray(plays) && plays.length === 1 && plays[0] >= 1);
  for (let question = 0; question < 20; question += 1) {
    expect(await ask()).toSatisfy(isRight);
  }

  await disk.makeRoom();
  await expect.poll(async () => (await send()).status).toBe(200);
  expect(await metric('playmeter_disk_full')).toBe(0);
  expect(await isReady('collect')).toBe(200);
});
