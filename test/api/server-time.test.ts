/** Trackers correct their clocks by this header: it is the time by which beacons are judged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const nowMs = Date.UTC(2031, 4, 6, 7, 8, 9);
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => nowMs } });
  account = await service.addAccount();
});

afterAll(() => service?.stop());

test.each([
  ['without a key', () => ({})],
  ['with a key', () => ({ 'x-api-key': account.key })],
  ['with an unknown key', () => ({ 'x-api-key': 'unknown' })],
])('%s, Server-Time is the time of the clock', async (_, headers) => {
  const response = await service.send([], headers());
  expect(response.headers.get('server-time')).toBe(String(nowMs));
});
