/** Costly questions of one account: they wait for each other, and no other account for them. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { busyPatience } from '../support/engine-cluster.ts';
import { holdStatement } from '../support/held-statement.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What waits for its turn is refused after so long. */
const mostWaitMs = 20_000;

interface Answer {
  readonly data?: { readonly totals: Record<string, number>; readonly requestId: string };
}

interface Limited {
  readonly ENGINE_TIME: number;
}

async function withPlay(service: TestService): Promise<TestAccount> {
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const at = new Date(Date.now() - 5_000).toISOString();
  const platform = 'Windows';
  const beacon = {
    view: account.key.slice(-20),
    stretch: 0,
    at,
    playMs: 1_000,
    videoKey,
    platform,
  };
  expect((await service.send([beacon])).status).toBe(200);
  return account;
}

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const days = `sdate=${yesterday}&edate=${tomorrow}`;
/** Of single facts: each is as costly as those of ranges that have many. */
const costly = (filters: string) =>
  `/report/statistics/video/v2/query?${days}&measures=views&filters=${filters}`;
const cheap = `/report/statistics/video/v1/os?${days}`;

test('an account that has used its engine time is refused, and another answered meanwhile', async () => {
  const held = await holdStatement(engineAccess().url, 'HoldThis');
  onTestFinished(held.close);
  let passedMs = 0;
  let turnIsOver = () => {};
  const service = await startTestService({
    environment: { CLICKHOUSE_URL: held.url, ENGINE_SECONDS_PER_MINUTE: '30' },
    fewFacts: 0,
    // The clock tells the turns of questions by how long they wait: nothing else may wait as long.
    hostPatience: { ...busyPatience, answersWithinMs: mostWaitMs + 1 },
    clock: {
      monotonic: () => systemClock.monotonic() + passedMs,
      after(delayMs, work) {
        if (delayMs !== mostWaitMs) return systemClock.after(delayMs, work);
        turnIsOver = work;
        return () => {};
      },
    },
  });
  onTestFinished(service.stop);
  const [one, other] = [await withPlay(service), await withPlay(service)];
  const viewsOf = async (account: TestAccount) => {
    const answer = await service.get(costly('os==Windows'), account.key);
    const { data } = (await answer.json()) as Answer;
    return data?.totals.views ?? answer.status;
  };
  await waitUntil('both to be counted', async () => (await viewsOf(one)) === 1);
  await waitUntil('both to be counted', async () => (await viewsOf(other)) === 1);

  const first = service.get(costly('os==HoldThis'), one.key);
  await waitUntil('the first to run', () => held.held() === 1);
  const ofFirst = turnIsOver;
  const second = service.get(costly('os==HoldThis,os==Windows'), one.key);
  await waitUntil('the second to wait for it', () => turnIsOver !== ofFirst);
  const endWaiting = turnIsOver;
  expect((await service.get(cheap, one.key)).status).toBe(200);
  expect(held.held()).toBe(1);
  expect(await viewsOf(other)).toBe(1);
  expect((await service.request('/healthz')).status).toBe(200);

  endWaiting();
  expect((await second).status).toBe(429);
  passedMs += 200_000;
  held.release();
  expect((await first).status).toBe(200);
  const refused = await service.get(costly('os==Windows'), one.key);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20);
  expect(await refused.json()).toMatchObject({
    code: 'RATE_LIMITED',
    detail: expect.stringContaining("30 seconds of the engine's time a minute"),
  });
  expect(await viewsOf(other)).toBe(1);
  expect((await service.get(cheap, one.key)).status).toBe(200);
  const ledger = await service.get(`/manage/v1/ledger?${days}`, one.key);
  const { list } = (await ledger.json()) as { list: { limitedRequests: Limited }[] };
  expect(list.reduce((sum, { limitedRequests }) => sum + limitedRequests.ENGINE_TIME, 0)).toBe(2);
});

test('readers of a share who ask the same get one answer, and others their own', async () => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const [one, other] = [await withPlay(service), await withPlay(service)];
  const shareOf = async ({ accountId }: TestAccount, filters = '') => {
    const view = { accessKey: undefined, packageId: undefined, filters };
    const { token } = accepted(
      await service.catalog.shares.create({
        ...{ accountId, name: 'A', ...view, period: { lastDays: 7 }, compare: 'none' },
        ...{ timeZone: undefined, origins: [], expiresAt: undefined },
      }),
    );
    return token.start + token.secret;
  };
  const ask = async (share: string, parameters = '', accept = 'application/json') => {
    const path = `/report/statistics/video/v2/query?measures=plays${parameters}`;
    const headers = { 'x-playmeter-share': share, accept };
    const answer = await service.request(path, { headers });
    expect(answer.status).toBe(200);
    const asOf = answer.headers.get('as-of');
    if (accept === 'text/csv') return { asOf, csv: await answer.text() };
    const { data } = (await answer.json()) as Answer;
    return { asOf, plays: data?.totals.plays, requestId: data?.requestId };
  };
  const [share, another] = [await shareOf(one), await shareOf(other)];
  for (const of of [share, another]) {
    await waitUntil('the play to be counted', async () => (await ask(of)).plays === 1);
  }
  const all = await Promise.all([
    ...[ask(share), ask(share), ask(share, '&dimensions=os'), ask(share, '', 'text/csv')],
    ...[ask(await shareOf(one, 'os==iOS')), ask(await shareOf(one)), ask(another)],
  ]);
  const [first, same, ...others] = all;
  expect(same).toEqual(first);
  expect(others.map(({ requestId }) => requestId)).not.toContain(first?.requestId);
  expect(others.map(({ plays, csv }) => csv ?? plays)).toEqual([1, 'plays\r\n1\r\n', 0, 1, 1]);
});
