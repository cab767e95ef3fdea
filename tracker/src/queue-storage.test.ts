import { expect, test } from 'vitest';
import type { Beacon } from '../../client/src/sender/beacon.ts';
import { createQueueStorage } from './queue-storage.ts';

const about = { view: 'v', stretch: 0, videoKey: 'k' };
const beacon: Beacon = { ...about, at: 1_790_000_000_000, playMs: 5, mediaMs: 5 };
const endpoint = 'https://media.example.org/collect/v1/beacons';

/** Like a browser's: its items are its own properties. */
function createStorage(): Storage {
  return Object.create({
    getItem(key: string) {
      return (this as unknown as Record<string, string>)[key] ?? null;
    },
    setItem(key: string, text: string) {
      (this as unknown as Record<string, string>)[key] = text;
    },
    removeItem(key: string) {
      delete (this as unknown as Record<string, string>)[key];
    },
  });
}

function adopted(storage: Storage): Beacon[] {
  const found: Beacon[] = [];
  createQueueStorage(endpoint, () => storage).adopt((beacons) => found.push(...beacons));
  return found;
}

test('a later page adopts what an earlier one kept, once', () => {
  const storage = createStorage();
  createQueueStorage(endpoint, () => storage).keep([beacon]);
  expect(adopted(storage)).toEqual([beacon]);
  expect(adopted(storage)).toEqual([]);
});

test('a page whose arrays make a text of themselves keeps a list', () => {
  const spoiled = Array.prototype as unknown as { toJSON?: () => string };
  spoiled.toJSON = () => 'a text';
  const storage = createStorage();
  try {
    createQueueStorage(endpoint, () => storage).keep([beacon]);
  } finally {
    delete spoiled.toJSON;
  }
  expect(adopted(storage)).toEqual([beacon]);
});

test('two pages do not write over each other', () => {
  const storage = createStorage();
  const pages = [1, 2].map(() => createQueueStorage(endpoint, () => storage));
  for (const [index, page] of pages.entries()) page.keep([{ ...beacon, stretch: index }]);
  pages[0]?.keep([]);
  expect(adopted(storage)).toEqual([{ ...beacon, stretch: 1 }]);
});

test('what a living page writes while it is adopted stays', () => {
  const storage = createStorage();
  const living = createQueueStorage(endpoint, () => storage);
  living.keep([beacon]);
  createQueueStorage(endpoint, () => storage).adopt(() => living.keep([{ ...beacon, playMs: 9 }]));
  expect(adopted(storage)).toEqual([{ ...beacon, playMs: 9 }]);
});

test('the queue of another server is left alone', () => {
  const storage = createStorage();
  createQueueStorage('https://other.example.org', () => storage).keep([beacon]);
  expect(adopted(storage)).toEqual([]);
});

test.each(['{', '7', 'null', '[null]', '[{}]', '[{"view":"v","at":"no date","playMs":1}]'])(
  'what others wrote there is cleared: %s',
  (text) => {
    const storage = createStorage();
    storage.setItem(`playmeter ${endpoint} x`, text);
    expect(adopted(storage)).toEqual([]);
    expect(Object.keys(storage)).toEqual([]);
  },
);

test('without storage nothing is kept and nothing thrown', () => {
  const blocked = createQueueStorage(endpoint, () => {
    throw new Error('SecurityError');
  });
  blocked.keep([beacon]);
  blocked.adopt(() => expect.unreachable());
});
