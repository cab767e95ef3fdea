import { expect, test } from 'vitest';
import { memoryEventLog } from '../../../test/support/memory-event-log.ts';
import {
  mostEventsOfRead,
  mostEventsOfView,
  type PlayerEvent,
  type ViewName,
  type ViewWindow,
} from '../../store/facts.ts';
import { readTogether } from './event-reader.ts';

const eventOf = (view: string) => ({ view }) as PlayerEvent;

/** A log whose reads end when the test says so; it answers one event a view. */
function heldLog() {
  const reads: {
    readonly asked: readonly ViewName[];
    readonly views: readonly string[];
    answer(): void;
    fail(): void;
  }[] = [];
  const read = (asked: readonly ViewName[]) =>
    new Promise<PlayerEvent[]>((answer, reject) => {
      const views = asked.map(({ view }) => view);
      reads.push({
        ...{ asked, views },
        answer: () => answer(views.map(eventOf)),
        fail: () => reject(new Error('away')),
      });
    });
  return { log: { read, beginnings: read, count: async () => [] }, reads };
}

const window = (view: string, fromMs = 0, untilMs = 1): ViewWindow => ({
  ...{ accountId: 1, view, fromMs, untilMs },
});
const views = (events: readonly PlayerEvent[] | undefined) => events?.map(({ view }) => view);

test('while a read is under way the others wait, and then go together', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const answers = ['a', 'b', 'c'].map((view) => read(window(view)));
  expect(reads.map((one) => one.views)).toEqual([['a']]);
  reads[0]?.answer();
  expect(views(await answers[0])).toEqual(['a']);
  await expect.poll(() => reads.length).toBe(2);
  expect(reads[1]?.views).toEqual(['b', 'c']);
  reads[1]?.answer();
  expect((await Promise.all(answers.slice(1))).map(views)).toEqual([['b'], ['c']]);
});

test('a view that several ask for is read once, in one window around theirs', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const first = read(window('first'));
  const answers = [read(window('a', 10, 20)), read(window('a', 5, 15)), read(window('a', 12, 30))];
  reads[0]?.answer();
  await first;
  await expect.poll(() => reads.length).toBe(2);
  expect(reads[1]?.asked).toEqual([window('a', 5, 30)]);
  reads[1]?.answer();
  expect((await Promise.all(answers)).map(views)).toEqual([['a'], ['a'], ['a']]);
});

test('a view without events has none', async () => {
  const { read } = readTogether(memoryEventLog([]));
  expect(await read(window('a'))).toEqual([]);
});

test('a read that fails fails for those in it only, and the next goes on', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const first = read(window('a'));
  const second = Promise.allSettled([read(window('b')), read(window('b')), read(window('c'))]);
  reads[0]?.answer();
  await first;
  await expect.poll(() => reads.length).toBe(2);
  const third = read(window('d'));
  reads[1]?.fail();
  expect((await second).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.answer();
  expect(views(await third)).toEqual(['d']);
});

test('200 views are read at once', async () => {
  const { log, reads } = heldLog();
  const { read } = readTogether(log);
  const all = Array.from({ length: 402 }, (_, index) => read(window(`v${index}`)));
  for (let turn = 0; turn < 4; turn += 1) {
    await expect.poll(() => reads.length).toBe(turn + 1);
    reads[turn]?.answer();
  }
  expect((await Promise.all(all)).map((events) => events?.length)).toEqual(Array(402).fill(1));
  expect(reads.map((one) => one.views.length)).toEqual([1, 200, 200, 1]);
});

test('beginnings are asked for in the same way', async () => {
  const { log, reads } = heldLog();
  const { beginnings } = readTogether(log);
  const answer = beginnings({ accountId: 1, view: 'a' });
  reads[0]?.answer();
  expect(views(await answer)).toEqual(['a']);
});

/** A log of views with so many events each, and the views of every read of it. */
function logOf(sizes: Readonly<Record<string, number>>) {
  const events = Object.entries(sizes).flatMap(([view, size]) =>
    Array.from(
      { length: size },
      (_, sequence): PlayerEvent => ({
        ...{ accountId: 1, view, sequence, momentMs: sequence },
        ...{ state: 'playing', arrivalMs: 0 },
      }),
    ),
  );
  const log = memoryEventLog([events]);
  const reads: string[] = [];
  const noted =
    <Asked extends ViewName, Answer>(read: (asked: readonly Asked[]) => Answer) =>
    (asked: readonly Asked[]): Answer => {
      reads.push(asked.map(({ view }) => view).join(' '));
      return read(asked);
    };
  return {
    reads,
    reader: readTogether({
      read: noted(log.read),
      beginnings: noted(log.beginnings),
      count: log.count,
    }),
  };
}

const half = mostEventsOfRead / 2;

test.each(['read', 'beginnings'] as const)(
  'views that have too many events for one read are read in portions: %s',
  async (name) => {
    const sizes = { a: 1, b: half, c: 5, d: half, e: half - 7, f: 7, g: mostEventsOfView + 1 };
    const { reader, reads } = logOf(sizes);
    const ask = (view: string) => reader[name](window(view, 0, mostEventsOfView + 1));
    const answers = await Promise.all(Object.keys(sizes).map(ask));
    // Of a view with more than a player sends, nothing.
    expect(answers.map((events) => events?.length)).toEqual([
      ...[1, half, 5, half, half - 7, 7],
      undefined,
    ]);
    expect(reads).toEqual(['a', 'b c d e f g', 'b c', 'd e f']);
  },
);

test('a view alone may have as many as a player sends, and no more', async () => {
  const sizes = { fits: mostEventsOfView, more: mostEventsOfView + 1, most: mostEventsOfRead + 1 };
  const { reader } = logOf(sizes);
  const sizeOf = async (view: string) =>
    (await reader.read(window(view, 0, mostEventsOfRead)))?.length;
  expect(await sizeOf('fits')).toBe(mostEventsOfView);
  expect(await sizeOf('more')).toBeUndefined();
  expect(await sizeOf('most')).toBeUndefined();
});
