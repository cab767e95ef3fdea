/** Writes over /manage that arrive together: each has a turn of the event loop for itself. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countTurns } from '../support/count-turns.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('no two writes share a turn, so that others wait for one at most', async () => {
  const accounts = await Promise.all([service.addAccount(), service.addAccount()]);
  const writes = await Promise.all(
    accounts.map(async ({ key, addVideo }) => ({ key, accessKey: await addVideo() })),
  );
  // Over connections that are there already, they arrive together.
  const { key: anyKey } = accounts[0];
  await Promise.all(Array.from({ length: 40 }, () => service.get('/manage/v1/folders', anyKey)));
  const { turn, stop } = countTurns();
  const { catalog } = service;
  const as = catalog.as.bind(catalog);
  const turns: number[] = [];
  vi.spyOn(catalog, 'as').mockImplementation((actor) => {
    turns.push(turn());
    return as(actor);
  });
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, sent) => {
      const { key, accessKey } = writes[sent % 2] as (typeof writes)[number];
      const title = `Film ${sent}`;
      return (await service.manage(key, 'PATCH', `/videos/${accessKey}`, { title })).status;
    }),
  );
  stop();
  expect(statuses).toEqual(Array.from({ length: 40 }, () => 200));
  expect(turns).toHaveLength(40);
  expect(new Set(turns).size).toBe(40);
});
