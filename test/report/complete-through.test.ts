/** The headers are true: what was acknowledged before Complete-Through is in the answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const rounds = 12;

test('the first answer complete through an acknowledgement holds what was acknowledged', async () => {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const day = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const address = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${tomorrow}`;
  for (let round = 1; round <= rounds; round += 1) {
    const at = new Date().toISOString();
    await service.send([{ view: `view-${round}`, stretch: 0, at, playMs: 0, videoKey }]);
    const acknowledgedAt = Date.now();
    let counted = 0;
    await waitUntil('an answer complete through it', async () => {
      const response = await service.get(address, account.key);
      const { data } = (await response.json()) as { data: { list: { videoCount: string }[] } };
      counted = data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
      const { headers } = response;
      const through = Date.parse(headers.get('complete-through') ?? '');
      expect(through).toBeLessThanOrEqual(Date.parse(headers.get('as-of') ?? ''));
      return through > acknowledgedAt;
    });
    expect(counted).toBe(round);
  }
}, 60_000);
