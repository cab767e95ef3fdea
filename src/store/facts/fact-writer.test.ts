import { expect, test } from 'vitest';
import { encodeFacts, type FactBatch } from '../journal/fact-batch.ts';
import { createFactWriter } from './fact-writer.ts';

const facts = [1, 2].map((accountId) => ({
  accountId,
  slotStart: 900_000,
  packageId: 1,
  videoId: 1,
  os: 'Linux',
  osVersion: '',
  view: 'view',
  stretch: 0,
  suspect: '',
  plays: 1,
  playMs: 1,
}));
const batch = encodeFacts(facts);

/** Keeps what it is given, in order; fails where the test says so. */
const nothingErased = async (given: FactBatch) => given;

function recordingStore() {
  const began: string[] = [];
  const texts: string[] = [];
  const failing = new Set<string>();
  return {
    began,
    texts,
    failing,
    async insertText(table: string, rows: Buffer): Promise<void> {
      began.push(table);
      await new Promise(setImmediate);
      if (failing.has(table)) throw new Error('the store failed, as the test said');
      began.push(`${table} done`);
      texts.push(rows.toString());
    },
  };
}

test('slots are noted when the facts are stored, and not before', async () => {
  const store = recordingStore();
  await createFactWriter(store, nothingErased)(batch);
  expect(store.began).toEqual(['stretch', 'stretch done', 'touched', 'touched done']);
  const notes = store.texts[1]?.split('\n').map((line) => line.split('\t').slice(0, 2).join());
  expect(notes).toEqual(['1,0000000900', '2,0000000900', '']);
});

test('nothing is written where all facts were erased', async () => {
  const store = recordingStore();
  await createFactWriter(store, async () => encodeFacts([]))(batch);
  expect(store.began).toEqual([]);
});

test('facts that could not be stored leave no note; written again they are noted', async () => {
  const store = recordingStore();
  const write = createFactWriter(store, nothingErased);
  store.failing.add('stretch');
  await expect(write(batch)).rejects.toThrow();
  expect(store.began).toEqual(['stretch']);
  store.failing.clear();
  await write(batch);
  expect(store.began.slice(1)).toEqual(['stretch', 'stretch done', 'touched', 'touched done']);
});

test('a note that failed fails the write, and each write has a batch of notes of its own', async () => {
  const store = recordingStore();
  const write = createFactWriter(store, nothingErased);
  store.failing.add('touched');
  await expect(write(batch)).rejects.toThrow();
  store.failing.clear();
  await write(batch);
  await write(batch);
  const numbers = [2, 4].map((index) => store.texts[index]?.split('\t')[2]);
  expect(new Set(numbers).size).toBe(2);
});
