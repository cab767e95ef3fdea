/** A machine whose clock is behind: what is right is put off until somebody has set the clock. */
import { expect, onTestFinished, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { createWallClock } from './wall-clock.ts';

const hourMs = 3_600_000;

test('right beacons get 503 and not IN_FUTURE, and everybody who looks is told why', async () => {
  const clock = await createWallClock();
  onTestFinished(() => clock.remove());
  const service = await startServiceProcess(clock.environment);
  onTestFinished(() => service.remove());
  const [, videoKey] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  const sendAt = async (at: number) => {
    const body = JSON.stringify({
      beacons: [
        { view: 'one', stretch: 0, at: new Date(at).toISOString(), playMs: 1_000, videoKey },
      ],
    });
    const response = await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST', body });
    const { accepted, rejected } = (await response.json()) as Record<string, unknown>;
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, accepted, rejected };
  };
  const collecting = async () => (await fetch(`${service.url}/readyz?for=collect`)).status;
  expect(await sendAt(Date.now())).toMatchObject({ status: 200, accepted: 1 });
  // What no clock would take is refused for good.
  await expect
    .poll(() => sendAt(Date.now() + 2 * hourMs))
    .toMatchObject({
      ...{ status: 200, rejected: [{ index: 0, code: 'IN_FUTURE' }] },
    });
  expect(await collecting()).toBe(200);

  await clock.set(service, -hourMs);
  expect(await sendAt(Date.now())).toMatchObject({ status: 503, retryAfter: '10' });
  expect(await collecting()).toBe(503);
  expect(await (await fetch(`${service.url}/readyz`)).text()).toMatch(
    /clock is 3[56]\d\d s behind/,
  );
  expect((await fetch(`${service.url}/readyz?for=report`)).status).toBe(200);
  await waitUntil('the log to say so', () =>
    service.log().some((line) => line.includes('the clock is behind: beacons are refused')),
  );
  expect(await service.begin('doctor').ended).toBe(1);
  // Also after a start, and until the clock is right.
  await service.kill('SIGKILL');
  await service.start();
  expect(await sendAt(Date.now())).toMatchObject({ status: 503 });

  await clock.set(service, 0);
  await expect.poll(() => sendAt(Date.now())).toMatchObject({ status: 200, accepted: 1 });
  expect(await collecting()).toBe(200);
});
