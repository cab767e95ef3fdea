/** The sender of a page: reports by `fetch`, and keeps in `localStorage` what did not get through. */
import { createSender, type Sender } from '../../client/src/sender/sender.ts';
import { askPlatform } from './platform.ts';
import { createQueueStorage } from './queue-storage.ts';
import { warn } from './warn.ts';

/** `url` is absolute, without a slash at its end. */
export function createDelivery(url: string): Sender {
  const answerLimitMs = 30_000;
  // A path that ends in a file name, and not a host.
  const namesFile = /[^:/]\/[^/]+\.[a-z]+$/i;
  const endpoint = namesFile.test(url) ? url : `${url}/collect/v1/beacons`;

  return createSender({
    // A text is sent as text/plain, so that no preflight is needed.
    post: (body) =>
      fetch(endpoint, {
        method: 'POST',
        body,
        keepalive: true,
        credentials: 'omit',
        signal: 'timeout' in AbortSignal ? AbortSignal.timeout(answerLimitMs) : null,
      }),
    refused: ({ videoKey }, { code, detail }) => warn(`${videoKey} refused: ${code}, ${detail}`),
    // Without a network that is no mistake.
    failed: () => navigator.onLine && warn(`${endpoint} fails: check URL, connect-src, blockers`),
    store: createQueueStorage(endpoint, () => localStorage),
    platform: askPlatform(),
  });
}
