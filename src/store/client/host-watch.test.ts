import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { type HostWatch, watchHosts } from './host-watch.ts';

const patience = { everyMs: 250, answersWithinMs: 1_000, othersAnswerWithinMs: 500 };
type State = 'answers' | 'hangs' | 'away';

/** What is said of the hosts, without the moment and the process. */
const withoutPlace = ({ level: _, time: __, pid: ___, hostname: ____, ...said }: Line) => said;
type Line = Readonly<Record<string, unknown>>;

let watch: HostWatch;
let clock: ReturnType<typeof manualClock>;
let states: State[];
let logged: object[];
/** Of each question in turn. */
let asked: AbortSignal[];
afterEach(async () => {
  states = states.map(() => 'answers');
  const stopped = watch.stop();
  clock.advance(2_000);
  await stopped;
});

function watching(...given: State[]): void {
  clock = manualClock(0);
  states = given;
  asked = [];
  logged = [];
  watch = watchHosts({
    hosts: given.map((_, host) => ({ name: `host-${host + 1}` })),
    async probe(host, signal) {
      asked.push(signal);
      if (states[host] === 'away') throw new Error('connection refused');
      if (states[host] === 'hangs') await new Promise(() => {});
    },
    awaited: 'answer for all shards',
    patience,
    clock,
    logger: pino({}, { write: (line) => void logged.push(withoutPlace(JSON.parse(line))) }),
  });
}

/** Lets what has been answered be noticed. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  await settle();
  clock.advance(ms);
  await settle();
}

test('is ready as soon as the first host answers', async () => {
  watching('answers', 'answers');
  expect(watch.whyNotReady()).toBe('The statistics store has not answered yet');
  await settle();
  expect(watch.whyNotReady()).toBeUndefined();
  expect(watch.current()).toBe(0);
  // Verbs would show it.
  expect(logged).toEqual([]);
});

test('that none answers is logged once, also at the start, and that one does again', async () => {
  watching('away');
  for (let outage = 0; outage < 2; outage += 1) {
    logged = [];
    states = ['away'];
    await pass(250);
    await pass(250);
    states = ['answers'];
    await pass(250);
    await pass(250);
    expect(logged).toEqual([
      { msg: 'the statistics store does not answer', reason: 'host-1: connection refused' },
      { msg: 'the statistics store answers', host: 'host-1' },
    ]);
  }
});

test('a host that hangs is given up with what waits for it, and the next is used', async () => {
  watching('answers', 'away', 'answers');
  await settle();
  const waiting = watch.signal(0);
  const other = watch.signal(2);
  states[0] = 'hangs';
  await pass(250);
  await pass(999);
  expect(waiting.aborted).toBe(false);
  await pass(1);
  expect(waiting.aborted).toBe(true);
  expect(watch.current()).toBe(2);
  expect(watch.whyNotReady()).toBeUndefined();
  expect([other.aborted, watch.signal(0).aborted]).toEqual([false, false]);
  const reason = 'host-1: no answer for all shards within 1000 ms';
  const msg = 'using another host of the cluster';
  expect(logged).toEqual([{ msg, reason, instead: 'host-3' }]);
});

test('a host that is back is used again as soon as the one in use is away, and not before', async () => {
  watching('answers', 'answers');
  await settle();
  states[0] = 'away';
  await pass(250);
  expect(watch.current()).toBe(1);
  states[0] = 'answers';
  await pass(250);
  await pass(250);
  expect(watch.current()).toBe(1);
  states[1] = 'away';
  await pass(250);
  expect([watch.current(), watch.whyNotReady()]).toEqual([0, undefined]);
});

test('the others are asked before a host that hangs is given up, and not while all is well', async () => {
  watching('answers', 'answers', 'hangs');
  await settle();
  await pass(250);
  expect(asked).toHaveLength(2);
  states[0] = 'hangs';
  await pass(250);
  await pass(499);
  expect(asked).toHaveLength(3);
  await pass(1);
  expect(asked).toHaveLength(5);
  expect(watch.current()).toBe(0);
  await pass(500);
  expect(watch.current()).toBe(1);
});

test('where none answers for all shards it says why, until one does', async () => {
  watching('answers', 'answers');
  await settle();
  const waiting = [watch.signal(0), watch.signal(1)];
  states = ['hangs', 'hangs'];
  await pass(250);
  await pass(500);
  await pass(499);
  expect(waiting.map(({ aborted }) => aborted)).toEqual([false, false]);
  await pass(1);
  expect(watch.whyNotReady()).toBe('host-1: no answer for all shards within 1000 ms');
  expect(waiting.map(({ aborted }) => aborted)).toEqual([true, true]);
  states = ['away', 'answers'];
  await pass(250);
  expect(watch.whyNotReady()).toBeUndefined();
  expect(watch.current()).toBe(1);
});

test('a host without others is given up alike, and used again as soon as it answers', async () => {
  watching('answers');
  await settle();
  const waiting = watch.signal(0);
  states[0] = 'hangs';
  await pass(250);
  await pass(999);
  expect([waiting.aborted, watch.whyNotReady()]).toEqual([false, undefined]);
  await pass(1);
  expect(waiting.aborted).toBe(true);
  expect(watch.whyNotReady()).toBe('host-1: no answer for all shards within 1000 ms');
  // What came since waits no longer than the next look.
  const later = watch.signal(0);
  await pass(250);
  await pass(1_000);
  expect(later.aborted).toBe(true);
  states[0] = 'answers';
  await pass(250);
  expect([watch.current(), watch.whyNotReady()]).toEqual([0, undefined]);
});

test('what came too late is not waited for: its question is ended', async () => {
  watching('hangs', 'answers');
  await settle();
  const [first] = asked;
  await pass(1_000);
  expect(first?.aborted).toBe(true);
  expect(watch.current()).toBe(1);
});

test('a statement that could not be sent makes it look at once', async () => {
  watching('answers', 'answers');
  await settle();
  states[0] = 'away';
  watch.hurry();
  await settle();
  await settle();
  expect(watch.current()).toBe(1);
});

test.each<[string, State[], asked: number]>([
  ['the one in use', ['hangs'], 1],
  ['the others', ['away', 'hangs'], 2],
])('stopped while it waits for %s, it says nothing, and asks no more', async (_, given, times) => {
  watching(...given);
  await settle();
  const stopped = watch.stop();
  expect(asked.map(({ aborted }) => aborted)).toEqual(Array(times).fill(true));
  await pass(1_000);
  await stopped;
  expect(watch.whyNotReady()).toBe('The statistics store has not answered yet');
  expect(logged).toEqual([]);
  await pass(10_000);
  expect([asked.length, clock.waiting()]).toEqual([times, 0]);
});
