/** The headers are true: what was acknowledged before Complete-Through is in the answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { createQueryService } from '../../src/query/query-service.ts';
import { createTokenSealer } from '../../src/query/ranges/continuation.ts';
import { readStatistic } from '../../src/query/statistic-preset.ts';
import type { FactQuery } from '../../src/store/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
beforeAll(async () => {
  // Each round waits for the next roll-up.
  service = await startTestService({ pace: { everyMs: 50 } });
});
afterAll(() => service.stop());

const rounds = 5;

test('the first answer complete through an acknowledgement holds what was acknowledged', async () => {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const day = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const path = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${tomorrow}`;
  for (let round = 1; round <= rounds; round += 1) {
    const at = new Date().toISOString();
    await service.send([{ view: `view-${round}`, stretch: 0, at, playMs: 0, videoKey }]);
    const acknowledgedAt = Date.now();
    let counted = 0;
    await waitUntil('an answer complete through it', async () => {
      const response = await service.get(path, account.key);
      const { data } = (await response.json()) as { data: { list: { videoCount: string }[] } };
      counted = data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
      const { headers } = response;
      const through = Date.parse(headers.get('complete-through') ?? '');
      expect(through).toBeLessThanOrEqual(Date.parse(headers.get('as-of') ?? ''));
      return through > acknowledgedAt;
    });
    expect(counted).toBe(round);
  }
});

test('what comes while an answer is read is not promised in it', async () => {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const at = new Date().toISOString();
  let overtakenAt = 0;
  const queryService = createQueryService({
    facts: {
      ...service.facts,
      async readMany<Row>(query: FactQuery) {
        const rows = await service.facts.readMany<Row>(query);
        overtakenAt = Date.now();
        await service.send([{ view: 'late', stretch: 0, at, playMs: 0, videoKey }]);
        await waitUntil('the late beacon is summed', async () => {
          await service.facts.rollUp();
          return service.facts.completeThrough() > overtakenAt;
        });
        return rows;
      },
    },
    catalog: service.catalog,
    countrySource: { description: 'a database' },
    sealer: createTokenSealer('a secret of thirty-two characters'),
    clock: systemClock,
    snapshotLifetimeMs: 1_000,
    snapshotRoomBytes: 1_048_576,
  });
  const day = at.slice(0, 10);
  const parameters = { sdate: day, edate: day };
  const asker = { accountId: account.accountId, timeZone: 'UTC' };
  const { answer, asOf, completeThrough } = await queryService.ask(
    readStatistic('date', parameters, asker),
    '/',
  );
  expect(answer.data.list).toEqual([]);
  expect(completeThrough.getTime()).toBeLessThanOrEqual(overtakenAt);
  expect(asOf.getTime()).toBeLessThanOrEqual(overtakenAt);
});
