/** A service that is killed between a verdict and its sums: when it is back, they agree. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog, Verdict } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { SuspectRecord } from '../../src/wire/management/suspect-messages.ts';
import { seededRandom } from '../simulation/random.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const views = 1_000;
const usualViews = 3;
const rounds = 6;
/** A verdict on so much takes about as long. */
const longestMs = 300;
/** In so much time the running service begins to follow the verdict. */
const rollUpsMs = 1_500;
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

let service: ServiceProcess;
let account: TestAccount;
let catalog: Catalog;
let suspect: string;
beforeAll(async () => {
  service = await startServiceProcess({
    // So few that a slow machine makes no difference: a minute passes until the next.
    USUAL_VIEWS_BY_ADDRESS: '1',
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  account = await addProcessAccount(service, 'UTC');
  const location = { sqliteFile: join(service.dataFolder, 'catalog.sqlite') };
  catalog = await openCatalog({ location, clock: systemClock });
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacons = Array.from({ length: views }, (_, number) => ({
    ...{ view: `v${number}`, stretch: 0, playMs: 1_000, videoKey },
    at: `${yesterday}T${String(number % 24).padStart(2, '0')}:00:00Z`,
  }));
  const body = JSON.stringify({ beacons });
  const response = await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST', body });
  expect(await response.json()).toEqual({ accepted: views, rejected: [] });
  await waitUntil('the usual views to count', async () =>
    (await totals()).every((total) => total === totalFor('refused')),
  );
  suspect = (await suspects())[0]?.suspect ?? '';
});
afterAll(async () => {
  await catalog?.close();
  await service?.remove();
});

/** Plays and seconds, as text. */
function totalFor(verdict: Verdict): string {
  const counting = verdict === 'accepted' ? views : usualViews;
  return `${counting} ${counting}`;
}

const totals = async () => [await totalOf('info/date'), await totalOf('os')];

/** Whether all answers are those; none ever has a part of what was set apart. */
async function isCounted(verdict: Verdict): Promise<boolean> {
  const whole = [undefined, totalFor('accepted'), totalFor('refused')];
  const now = await totals();
  for (const total of now) expect(whole).toContain(total);
  return now.every((total) => total === totalFor(verdict));
}

/** Undefined while the statistics are not ready. */
async function totalOf(grouping: 'info/date' | 'os'): Promise<string | undefined> {
  const range = `sdate=${yesterday}&edate=${yesterday}`;
  const path = `/report/statistics/video/v1/${grouping}?${range}`;
  const response = await fetch(service.url + path, { headers: { 'x-api-key': account.key } });
  if (response.status === 503) return undefined;
  const { data } = (await response.json()) as {
    data: { list: { videoCount: string; duration: string }[] };
  };
  const sum = (member: 'videoCount' | 'duration') =>
    data.list.reduce((total, row) => total + Number(row[member]), 0);
  return `${sum('videoCount')} ${sum('duration')}`;
}

async function suspects(): Promise<SuspectRecord[]> {
  const range = `sdate=${yesterday}&edate=${yesterday}`;
  const response = await fetch(`${service.url}/manage/v1/suspects?${range}`, {
    headers: { 'x-api-key': account.key },
  });
  return ((await response.json()) as { list: SuspectRecord[] }).list;
}

/** Asks for a verdict; whether an answer came. */
async function decide(verdict: Verdict): Promise<boolean> {
  const headers = { 'x-api-key': account.key, 'content-type': 'application/json' };
  const request = { method: 'PUT', headers, body: JSON.stringify({ verdict }) };
  return fetch(`${service.url}/manage/v1/suspects/${suspect}`, request).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function verdictNow(): Promise<Verdict> {
  const [decision] = await catalog.verdicts.list(account.accountId);
  return decision?.verdict ?? 'refused';
}

/** Starts it again, and waits until all is settled. */
async function expectToAgree(): Promise<void> {
  await service.start();
  const verdict = await verdictNow();
  await waitUntil(
    'the sums to follow the verdict',
    async () => (await isCounted(verdict)) && (await catalog.verdicts.unsummed()).length === 0,
  );
  expect(await isCounted(verdict)).toBe(true);
}

test.each<Verdict>(['accepted', 'refused'])(
  'killed when it was noted as %s, and before the sums followed',
  async (verdict) => {
    const engine = service.engineProcesses().at(-1) ?? 0;
    process.kill(engine, 'SIGSTOP');
    const decided = await catalog.verdicts.decide({ ...account, suspect }, verdict);
    expect(decided.ok).toBe(true);
    await sleep(rollUpsMs);
    expect(await catalog.verdicts.unsummed()).toMatchObject([{ suspect, verdict }]);
    await service.kill('SIGKILL');
    // What it was asked meanwhile it may still do, or end on the way.
    process.kill(engine, 'SIGCONT');
    await expectToAgree();
    expect(await verdictNow()).toBe(verdict);
  },
);

test('killed at any moment of a verdict', { tags: 'long' }, async () => {
  const random = seededRandom(14);
  for (let round = 0; round < rounds; round += 1) {
    const verdict = (await verdictNow()) === 'accepted' ? 'refused' : 'accepted';
    const answered = decide(verdict);
    await sleep(random.below(longestMs));
    await service.kill('SIGKILL');
    const isDone = await answered;
    await expectToAgree();
    // What was answered stays decided.
    if (isDone) expect(await verdictNow()).toBe(verdict);
  }
});
