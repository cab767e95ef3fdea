import { expect, test } from 'vitest';
import type { Beacon } from './beacon.ts';
import { createSender } from './sender.ts';

test('where the platform cannot be told, beacons leave without it', async () => {
  const sent: string[] = [];
  const sender = createSender({
    async post(body) {
      sent.push(body);
      return new Response('{"accepted":1,"rejected":[]}', { headers: { 'server-time': '1' } });
    },
    refused() {},
    failed() {},
    store: { keep() {}, adopt() {} },
    platform: Promise.reject(new Error('no such system')),
  });
  const at = new Date().toISOString();
  const beacon: Beacon = {
    ...{ view: 'v', videoKey: 'film', stretch: 0, at, playMs: 1_000, mediaMs: 1_000 },
  };
  sender.put(beacon);
  await expect.poll(() => sent.join()).toContain('"playMs":1000');
});
