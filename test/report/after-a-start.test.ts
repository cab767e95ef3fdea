/** No answer after a start lacks what was acknowledged before it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdStatement } from '../support/held-statement.ts';
import { startTestService } from '../support/service.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

const day = new Date().toISOString().slice(0, 10);
const path = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${day}`;
const at = `${day}T00:00:00Z`;

test('until the first roll-up has run, reports and readiness are 503 with Retry-After', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const environment = {
    DATA_DIR: folder,
    CLICKHOUSE_DATABASE: `test_${randomUUID().replaceAll('-', '')}`,
  };
  // Sums at its start only: what comes after that is left to the next one.
  const pace = { everyMs: 2 ** 30 };
  const first = await startTestService({ environment, pace });
  const account = await first.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacon = (view: string) => ({ view, stretch: 0, at, playMs: 0, videoKey });
  expect((await first.send([beacon('before')])).status).toBe(200);
  await first.stop();

  const line = await holdStatement(engineAccess().url, 'INSERT INTO playback_sum');
  onTestFinished(line.close);
  const second = await startTestService({
    environment: { ...environment, CLICKHOUSE_URL: line.url },
    waitsForStores: false,
  });
  onTestFinished(() => second.stop());
  await waitUntil('the first roll-up to be under way', () => line.held() === 1);

  const ready = await second.request('/readyz');
  expect(ready.status).toBe(503);
  expect(ready.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await ready.json()).toMatchObject({ status: 'unavailable', catalog: 'ok' });
  const report = await second.get(path, account.key);
  expect(report.status).toBe(503);
  expect(report.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(report.headers.get('complete-through')).toBeNull();
  expect(await report.json()).toMatchObject({ code: 'UNAVAILABLE', isSuccess: false });
  // To be counted is possible before.
  expect((await second.send([beacon('meanwhile')])).status).toBe(200);

  line.release();
  await waitUntil('readiness', async () => (await second.request('/readyz')).status === 200);
  const { list } = await second.ask(path, account.key);
  expect(Number(list[0]?.videoCount)).toBeGreaterThanOrEqual(1);
  await second.facts.rollUp();
  const later = await second.ask(path, account.key);
  expect(later.list.map(({ videoCount }) => videoCount)).toEqual(['2']);
});
