/** Where nothing can be kept, both forms say so, and what is sent again later counts once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  // Nothing listens there.
  const environment = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };
  service = await startTestService({ environment, waitsForStores: false });
});
afterAll(() => service.stop());

test('players are asked to come back, and the ledger shows it', async () => {
  const account = await service.addAccount();
  const { videoKey } = await addFilm(account);
  const events = await service.request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd' },
    body: `e=ps,sid="x",sn=0,sta=p,ts=${Date.now()},v=2`,
  });
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const query = new URLSearchParams({ data: JSON.stringify({ e: 'vs', ...statsInfo }) });
  const logged = await service.request(`/play/api/videoPlays?${query}`);
  for (const answer of [events, logged]) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const metrics = await (await service.request('/metrics')).text();
  // Of the events nothing was read, so they were not received.
  expect(metrics).toMatch(/^playmeter_beacons_received_total 1$/m);
  expect(metrics).toMatch(/^playmeter_beacons_unavailable_total 1$/m);
});
