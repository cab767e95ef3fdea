/** When beacons leave and what they then say, with real requests to a recording server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beacon, Platform } from '../../client/src/sender/beacon.ts';
import type { Stretch } from '../../client/src/sender/stretch-meter.ts';
import { createDelivery } from '../../tracker/src/delivery.ts';
import { type CollectRecorder, startCollectRecorder } from '../support/collect-recorder.ts';
import { webStorage } from '../support/web-storage.ts';

const windows11 = { platform: 'Windows', platformVersion: '15.0.0' };

let recorder: CollectRecorder;
let items: Map<string, string>;

beforeEach(async () => {
  recorder = await startCollectRecorder();
  items = new Map();
  Object.defineProperty(globalThis, 'localStorage', {
    value: webStorage(items),
    configurable: true,
  });
});
afterEach(async () => {
  setPlatform(undefined);
  await recorder.close();
});

/** What the browser answers when it is asked for its platform. */
function setPlatform(answer: Promise<Platform> | undefined): void {
  const value = answer && { getHighEntropyValues: () => answer };
  Object.defineProperty(navigator, 'userAgentData', { value, configurable: true });
}

const beacon = (change: Partial<Beacon<Stretch>> = {}): Beacon<Stretch> => ({
  view: 'v',
  stretch: 0,
  at: Date.now(),
  playMs: 1_000,
  mediaMs: 1_000,
  videoKey: 'k',
  ...change,
});
const arrived = () => recorder.requests.flatMap(({ beacons }) => beacons);
/** Deliveries of other tests may still try to send, and keep theirs. */
const kept = (): Beacon[] =>
  [...items]
    .filter(([key]) => key.startsWith(`playmeter ${recorder.url}/collect/`))
    .flatMap(([, text]) => JSON.parse(text));

test('the first request waits for the platform, and every beacon says it', async () => {
  let answer = (_: Platform) => {};
  setPlatform(new Promise((resolve) => (answer = resolve)));
  const delivery = createDelivery(recorder.url);
  delivery.put(beacon());
  delivery.flush(false);
  await new Promise((settled) => setTimeout(settled));
  expect(recorder.requests).toEqual([]);
  answer(windows11);
  await expect.poll(() => arrived().length).toBe(1);
  // No beacon leaves before the clock is known, which an empty batch asks for.
  expect(recorder.requests.map(({ beacons }) => beacons.length)).toEqual([0, 1]);
  delivery.put(beacon({ stretch: 1 }));
  delivery.flush(false);
  await expect.poll(() => arrived().length).toBe(2);
  expect(arrived()).toMatchObject([windows11, { ...windows11, stretch: 1 }]);
  expect(recorder.requests[0]?.beacons).toEqual([]);
});

test('a platform that does not come is not waited for, and not named later in the view', async () => {
  let answer = (_: Platform) => {};
  setPlatform(new Promise((resolve) => (answer = resolve)));
  const delivery = createDelivery(recorder.url);
  delivery.put(beacon());
  await expect.poll(() => arrived().length).toBe(1);
  answer(windows11);
  await new Promise((settled) => setTimeout(settled));
  delivery.put(beacon({ stretch: 1 }));
  delivery.flush(false);
  await expect.poll(() => arrived().length).toBe(2);
  expect(arrived().filter((sent) => 'platform' in sent)).toEqual([]);
});

test('a page that is left before it knows the platform leaves its beacons to a later one', async () => {
  setPlatform(new Promise(() => {}));
  const delivery = createDelivery(recorder.url);
  delivery.put(beacon());
  delivery.flush(true);
  expect(kept()).toMatchObject([{ view: 'v', playMs: 1_000 }]);
  expect(recorder.requests).toEqual([]);
});

test('beacons of an earlier page keep what that page said', async () => {
  const earlier = beacon({ view: 'earlier', platform: 'macOS', platformVersion: '15.1.0' });
  const unsaid = beacon({ view: 'unsaid' });
  const endpoint = `${recorder.url}/collect/v1/beacons`;
  items.set(`playmeter ${endpoint} earlier`, JSON.stringify([earlier, unsaid]));
  setPlatform(Promise.resolve(windows11));
  const delivery = createDelivery(recorder.url);
  delivery.put(beacon());
  await expect.poll(() => arrived().length).toBe(3);
  const byView = new Map(arrived().map((sent) => [sent.view, sent]));
  expect(byView.get('earlier')).toMatchObject({ platform: 'macOS', platformVersion: '15.1.0' });
  expect(byView.get('unsaid')).not.toHaveProperty('platform');
  expect(byView.get('v')).toMatchObject(windows11);
  await expect.poll(kept).toEqual([]);
});

test('a queue larger than one request arrives whole', async () => {
  const many = Array.from({ length: 400 }, (_, stretch) => beacon({ stretch, playMs: 10 }));
  items.set(`playmeter ${recorder.url}/collect/v1/beacons before`, JSON.stringify(many));
  createDelivery(recorder.url);
  await expect.poll(() => recorder.playMs()).toBe(4_000);
  expect(arrived()).toHaveLength(400);
  expect(recorder.requests.length).toBeGreaterThanOrEqual(3);
});

test.each([
  ['', '/collect/v1/beacons'],
  ['/media', '/media/collect/v1/beacons'],
  ['/media/v1.2', '/media/v1.2/collect/v1/beacons'],
  ['/media/progress.json', '/media/progress.json'],
  ['/progress.json', '/progress.json'],
])('reports of a page whose URL of the server ends in "%s" go to %s', async (end, path) => {
  createDelivery(recorder.url + end);
  await expect.poll(() => recorder.requests.map(({ url }) => url)).toEqual([path]);
});

test('what is kept for a later page says the platform, too', async () => {
  recorder.behave({ kind: 'drop' });
  setPlatform(Promise.resolve(windows11));
  const delivery = createDelivery(recorder.url);
  delivery.put(beacon());
  expect(kept()).toHaveLength(1);
  await expect.poll(() => recorder.requests.length).toBeGreaterThan(0);
  delivery.put(beacon({ stretch: 1 }));
  expect(kept()).toMatchObject([windows11, { ...windows11, stretch: 1 }]);
});

test('only one request is under way, unless the page is left', async () => {
  const delivery = createDelivery(recorder.url);
  const first = beacon();
  await expect.poll(() => recorder.requests.length).toBe(1);
  await expect
    .poll(() => {
      delivery.put(first);
      delivery.flush(false);
      return arrived().length;
    })
    .toBeGreaterThan(0);
  const before = arrived().length;
  delivery.put(beacon({ stretch: 1 }));
  for (let flush = 0; flush < 5; flush += 1) delivery.flush(false);
  await expect.poll(kept).toEqual([]);
  expect(
    arrived()
      .slice(before)
      .filter(({ stretch }) => stretch === 1),
  ).toHaveLength(1);
});

/** The first beacon, whatever is answered. */
async function flushUntilArrived(delivery: ReturnType<typeof createDelivery>): Promise<void> {
  await expect
    .poll(() => {
      delivery.flush(false);
      return arrived().length;
    })
    .toBe(1);
}

test('back from the back-forward cache, no answer is waited for that never comes', async () => {
  const delivery = createDelivery(recorder.url);
  await expect.poll(() => recorder.requests.length).toBe(1);
  recorder.behave({ kind: 'hang' });
  delivery.put(beacon());
  await flushUntilArrived(delivery);
  recorder.behave({ kind: 'accept' });
  delivery.flush(true);
  await expect.poll(kept).toEqual([]);
  delivery.put(beacon({ stretch: 1 }));
  delivery.flush(false);
  await expect.poll(kept).toEqual([]);
  expect(recorder.playMs()).toBe(2_000);
});
