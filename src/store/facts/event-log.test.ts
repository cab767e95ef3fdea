/** What is asked of the store for events, and what of it is answered; more: test/contract. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { toUtcDay } from '../../lib/time/utc-day.ts';
import { mostEventsOfRead, type PlayerEvent } from '../facts.ts';
import { createEventLog } from './event-log.ts';

const made = useNewStore();
// The store drops events of days that are over.
const arrivalMs = Date.now();
let erased: ReadonlySet<string>;
let isReady: boolean;
beforeEach(() => {
  erased = new Set();
  isReady = true;
});

const open = () =>
  createEventLog(
    made().store,
    () => {
      if (!isReady) throw new Error('not ready, as the test said');
    },
    async (rows) => new Set(rows.filter(({ view }) => erased.has(view))),
  );

type Identified = Pick<PlayerEvent, 'accountId' | 'view' | 'momentMs' | 'sequence' | 'state'>;
const eventOf = (other: Partial<Identified> = {}) => ({
  ...{ accountId: 1, view: randomUUID(), momentMs: 100, sequence: 7 },
  ...{ state: 'playing' as const, arrivalMs },
  ...other,
});
const windowOf = (
  { accountId, view }: Pick<PlayerEvent, 'accountId' | 'view'>,
  fromMs = 0,
  untilMs = 1_000,
) => ({
  ...{ accountId, view, fromMs, untilMs },
});
const storedOf = ({ view }: Pick<PlayerEvent, 'view'>) =>
  made().rows('SELECT toString(day) AS day FROM event WHERE view = {view:UUID}', { view });

test('what was erased is left out, and what is left is written', async () => {
  const [kept, gone] = [eventOf(), eventOf()];
  erased = new Set([gone.view]);
  const { write, read } = open();
  await write([gone]);
  await write([kept, gone]);
  expect(await storedOf(kept)).toEqual([{ day: toUtcDay(arrivalMs) }]);
  expect(await storedOf(gone)).toEqual([]);
  expect(await read([kept, gone].map((event) => windowOf(event)))).toEqual([kept]);
});

test('events of several accounts and views are read at once, each in its window', async () => {
  const { write, read, beginnings, count } = open();
  const [one, other] = [eventOf(), eventOf({ accountId: 2, momentMs: 300 })];
  await write([one, { ...one, momentMs: 200 }, other, { ...other, momentMs: 400 }]);
  const windows = [windowOf(one, 100, 150), windowOf(other, 350, 400)];
  const found = await read(windows);
  expect(found?.toSorted((a, b) => a.momentMs - b.momentMs)).toEqual([
    one,
    { ...other, momentMs: 400 },
  ]);
  expect(await count(windows)).toHaveLength(2);
  expect(await beginnings([one, other])).toHaveLength(4);
  expect(await beginnings([one])).toHaveLength(2);
});

test('an event that came several times arrived when it came first', async () => {
  const { write, read, beginnings } = open();
  await made().run('SYSTEM STOP MERGES event');
  const event = eventOf();
  for (const laterMs of [500, 0, 900]) {
    await write([{ ...event, arrivalMs: arrivalMs + laterMs }]);
  }
  expect(await read([windowOf(event)])).toEqual([event]);
  expect(await beginnings([event])).toEqual([event]);
});

test('the best that was told of an event is kept beside it', async () => {
  const { write, read } = open();
  const event = eventOf({ state: 'failed' });
  const told = { error: '3016', bitrate: 2_500, rate: 1.25, streamType: 'vod' };
  await write([event]);
  await write([{ ...event, ...told, bitrate: 900 }]);
  await write([{ ...event, bitrate: 2_500 }]);
  expect(await read([windowOf(event)])).toEqual([{ ...event, ...told }]);
});

test('a read of too many rows has no answer, even if they are copies of one event', async () => {
  const { read, beginnings } = open();
  const event = eventOf();
  await made().run('SYSTEM STOP MERGES event');
  const copy = (copies: number) =>
    made().run(
      `INSERT INTO event (accountId, view, moment, sequence, state, arrival, day)
        SETTINGS optimize_on_insert = 0
        SELECT {accountId:UInt32}, {view:UUID}, {momentMs:Int64}, {sequence:UInt32}, {state:String},
          {arrivalMs:Int64}, today() FROM numbers({copies:UInt32})`,
      { ...event, copies },
    );
  await copy(mostEventsOfRead);
  expect(await read([windowOf(event)])).toEqual([event]);
  expect(await beginnings([event])).toEqual([event]);
  await copy(1);
  expect(await read([windowOf(event)])).toBeUndefined();
  expect(await beginnings([event])).toBeUndefined();
});

test('nothing is written or read while the store is not ready', async () => {
  isReady = false;
  const { write, read, beginnings, count } = open();
  const event = eventOf();
  for (const ask of [
    () => write([event]),
    () => read([windowOf(event)]),
    () => beginnings([event]),
    () => count([windowOf(event)]),
  ]) {
    await expect(ask()).rejects.toThrow('not ready, as the test said');
  }
});
