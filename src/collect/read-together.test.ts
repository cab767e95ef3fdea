import { expect, test } from 'vitest';
import type { PlayerEvent, ViewName, ViewWindow } from '../facts/facts.ts';
import { readTogether } from './read-together.ts';

const eventOf = (view: string) => ({ view }) as PlayerEvent;

/** A log whose reads end when the test says so; it answers one event a view. */
function heldLog() {
  const reads: {
    readonly views: readonly string[];
    answer(): void;
    fail(): void;
  }[] = [];
  const asked: unknown[] = [];
  const read = (names: readonly ViewName[], more?: number) =>
    new Promise<PlayerEvent[]>((answer, reject) => {
      asked.push([...names], more);
      reads.push({
        views: names.map(({ view }) => view),
        answer: () => answer([...new Set(names.map(({ view }) => view))].map(eventOf)),
        fail: () => reject(new Error('away')),
      });
    });
  return { log: { read, beginnings: read }, reads, asked };
}

const windows = (...views: readonly string[]) =>
  views.map((view) => ({ accountId: 1, view, fromMs: 0, untilMs: 1 }) as ViewWindow);
const many = (name: string, count: number) =>
  windows(...Array.from({ length: count }, (_, index) => `${name}${index}`));
const views = (events: readonly PlayerEvent[]) => events.map(({ view }) => view);

test('while a read is under way the others wait, and then go together', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const answers = [read(windows('a')), read(windows('b')), read(windows('c', 'd'))];
  expect(reads.map((one) => one.views)).toEqual([['a']]);
  reads[0]?.answer();
  expect(views(await (answers[0] as Promise<PlayerEvent[]>))).toEqual(['a']);
  await expect.poll(() => reads.length).toBe(2);
  expect(reads[1]?.views).toEqual(['b', 'c', 'd']);
  reads[1]?.answer();
  const rest = await Promise.all(answers.slice(1));
  expect(rest.map(views)).toEqual([['b'], ['c', 'd']]);
});

test('who asks for a view twice gets its events once', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const answer = read(windows('a', 'a'));
  reads[0]?.answer();
  expect(views(await answer)).toEqual(['a']);
});

test('a view without events is not answered', async () => {
  const { read } = readTogether({ read: async () => [], beginnings: async () => [] });
  expect(await read(windows('a'))).toEqual([]);
});

test('nothing asked, nothing read', async () => {
  const { log, reads } = heldLog();
  expect(await readTogether(log).read([])).toEqual([]);
  expect(reads).toEqual([]);
});

test('a read that fails fails for those in it only, and the next goes on', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const first = read(windows('a'));
  const second = Promise.allSettled([read(windows('b')), read(windows('c'))]);
  reads[0]?.answer();
  await first;
  await expect.poll(() => reads.length).toBe(2);
  const third = read(windows('d'));
  reads[1]?.fail();
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.answer();
  expect(views(await third)).toEqual(['d']);
});

test.each([
  [
    [499, 1, 1],
    [500, 1],
  ],
  [
    [250, 251],
    [250, 251],
  ],
  [
    [600, 1],
    [600, 1],
  ],
  [
    [100, 100, 100, 100, 100, 100],
    [500, 100],
  ],
])('asks of %j windows are read as %j', async (sizes, expected) => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const first = read(windows('first'));
  const rest = sizes.map((size, index) => read(many(`v${index}-`, size)));
  reads[0]?.answer();
  await first;
  for (let turn = 1; turn <= expected.length; turn += 1) {
    await expect.poll(() => reads.length).toBe(turn + 1);
    reads[turn]?.answer();
  }
  expect((await Promise.all(rest)).map((events) => events.length)).toEqual(sizes);
  expect(reads.slice(1).map((one) => one.views.length)).toEqual(expected);
});

test('beginnings are asked for in the same way', async () => {
  const { log, reads } = heldLog();
  const { beginnings } = readTogether(log);
  const answer = beginnings([{ accountId: 1, view: 'a' }]);
  reads[0]?.answer();
  expect(views(await answer)).toEqual(['a']);
});
