/** Dating over an event log that may be read before the notes of others are in it. */
import { expect, test } from 'vitest';
import { memoryEventLog } from '../../../../test/support/memory-event-log.ts';
import { playEvent } from '../../../../test/support/play-event.ts';
import { assert } from '../../../lib/assert.ts';
import { mostEventsOfView, type PlayerEvent } from '../../../store/facts.ts';
import type { Draft } from '../../draft.ts';
import { readTogether } from '../../steps/event-reader.ts';
import { createAgreement } from '../../steps/instant-agreement.ts';
import { createEventDates } from './event-dates.ts';
import type { LogEvent } from './log-event.ts';

const { sessionStartMs: startMs } = playEvent;
const device = { userAgent: 'agent' };
const played = (from: number, until: number): LogEvent => ({
  ...playEvent,
  range: { startMs: from, lengthMs: until - from, startIsDerived: false },
});

/** Nodes over one log; `agreed` are the names under which somebody asked for an agreement. */
function dating() {
  const written: (readonly PlayerEvent[])[] = [];
  const agreed: string[] = [];
  const eventSpool = {
    async add(events: readonly PlayerEvent[]) {
      written.push(events);
    },
  };
  const events = readTogether(memoryEventLog(written));
  const agree = createAgreement({ events, eventSpool, clock: { now: () => startMs } });
  const { date } = createEventDates({
    events,
    agree(view, name, proposalMs) {
      agreed.push(name);
      return agree(view, name, proposalMs);
    },
  });
  const dated = async (one: LogEvent, afterMs: number) => {
    const result = await date(one, device, startMs + afterMs);
    assert(result.ok, 'the event is dated');
    return result.value;
  };
  return {
    agreed,
    date,
    dated,
    /** Dates an event and keeps what is to be kept of it. */
    async keep(one: LogEvent, afterMs: number) {
      const { drafts, notes } = await dated(one, afterMs);
      await eventSpool.add(notes);
      return drafts;
    },
  };
}

const rangesOf = (drafts: readonly Draft[]) =>
  drafts.filter(({ plays }) => plays === 0).map(({ atMs, playMs }) => [atMs - startMs, playMs]);
const playsOf = (drafts: readonly Draft[]) =>
  drafts.filter(({ plays }) => plays === 1).map(({ atMs }) => atMs - startMs);
const note = (momentMs: number, sequence: number, afterMs: number): PlayerEvent => ({
  ...{ accountId: 1, view: 'view', momentMs, sequence, state: 'playing' },
  arrivalMs: startMs + afterMs,
});

test('what shows no play is neither counted nor kept, and nobody is asked', async () => {
  const { dated, agreed } = dating();
  expect(await dated({ ...playEvent, showsPlay: false }, 1_000)).toEqual({ drafts: [], notes: [] });
  expect(agreed).toEqual([]);
});

test('a session with more events than a player sends gets no more', async () => {
  const log = Array.from({ length: mostEventsOfView + 1 }, (_, index) => note(index, 5, index));
  const dateBeside = (count: number) =>
    createEventDates({
      events: readTogether(memoryEventLog([log.slice(0, count)])),
      agree: async (_view, _name, proposalMs) => proposalMs,
    }).date(playEvent, device, startMs + 90_000_000);
  expect(await dateBeside(mostEventsOfView)).toMatchObject({ ok: true });
  expect(await dateBeside(mostEventsOfView + 1)).toEqual({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: 'uid: a session with too many events' },
  });
});

test('a start alone is the play, at the start of the session', async () => {
  const { dated } = dating();
  const { drafts, notes } = await dated(playEvent, 1_000);
  expect(drafts).toEqual([
    { view: 'view', stretch: 0, atMs: startMs, playMs: 0, plays: 1, device, facts: [] },
  ]);
  expect(notes).toEqual([note(-1, 0, 1_000)]);
});

test('the first range brings the play with it; both are kept', async () => {
  const { dated } = dating();
  const { drafts, notes } = await dated(played(0, 5_000), 6_000);
  expect(playsOf(drafts)).toEqual([0]);
  expect(rangesOf(drafts)).toEqual([[1_000, 5_000]]);
  expect(drafts.map((draft) => draft.device)).toEqual([device, device]);
  expect(notes).toEqual([note(-1, 0, 6_000), note(0, 5_000, 6_000)]);
});

test('what the log knows is dated as it was, without asking anybody', async () => {
  const { keep, dated, agreed } = dating();
  await keep(playEvent, 1_000);
  await keep(played(0, 5_000), 6_000);
  agreed.length = 0;
  const { drafts, notes } = await dated(played(0, 5_000), 7_000);
  expect(rangesOf(drafts)).toEqual([[1_000, 5_000]]);
  expect(agreed).toEqual([]);
  // Only that a copy came.
  expect(notes).toEqual([
    { ...note(startMs + 7_000, 0, 7_000), sequence: expect.anything(), state: 'resting' },
  ]);
});

test('a copy in the same millisecond needs no note', async () => {
  const { keep, dated } = dating();
  await keep(played(0, 5_000), 6_000);
  expect((await dated(played(0, 5_000), 6_000)).notes).toEqual([]);
});

test('after each copy its own length has to pass before the range counts again', async () => {
  const { keep } = dating();
  const drafts: Draft[] = [];
  for (const afterMs of [30_000, 33_000, 36_000, 39_999, 43_998, 47_998]) {
    drafts.push(...(await keep(played(0, 5_000), afterMs)));
  }
  const counted = new Map(rangesOf(drafts).map(([atMs, playMs]) => [atMs, playMs]));
  expect([...counted]).toEqual([
    [25_000, 5_000],
    [42_998, 5_000],
  ]);
});

test('of two that come at once, before either is kept, the second is a copy', async () => {
  const { dated } = dating();
  const first = await dated(played(0, 5_000), 6_000);
  const second = await dated(played(0, 5_000), 6_500);
  expect(rangesOf(second.drafts)).toEqual(rangesOf(first.drafts));
  expect(playsOf(second.drafts)).toEqual(playsOf(first.drafts));
  expect(second.drafts.map(({ stretch }) => stretch)).toEqual(
    first.drafts.map(({ stretch }) => stretch),
  );
  // The first may have died before it kept anything: whoever comes second keeps it as well.
  expect(second.notes.slice(0, 2)).toEqual(first.notes);
  expect(second.notes.slice(2)).toMatchObject([{ momentMs: startMs + 6_500, state: 'resting' }]);
});

test('a range that comes again after its length counts again, though the first is not kept', async () => {
  const { dated } = dating();
  const first = await dated(played(0, 5_000), 6_000);
  const second = await dated(played(0, 5_000), 20_000);
  expect(rangesOf(second.drafts)).toEqual([[15_000, 5_000]]);
  expect(second.drafts[1]?.stretch).not.toBe(first.drafts[1]?.stretch);
  expect(second.notes).toEqual([note(-1, 0, 6_000), note(2 ** 41, 5_000, 20_000)]);
});

test('a cs of another clock: the play is when it was first heard of, for all', async () => {
  const { dated } = dating();
  const ofDevice = { ...playEvent, sessionStartMs: startMs + 3_600_000 };
  expect(playsOf((await dated(ofDevice, 1_000)).drafts)).toEqual([1_000]);
  expect(playsOf((await dated(ofDevice, 9_000)).drafts)).toEqual([1_000]);
});

test('a stop that says only where it was counts from the end of the last range', async () => {
  const { keep } = dating();
  await keep(played(0, 5_000), 6_000);
  const stop = { ...playEvent, stoppedAtMs: 8_000 };
  expect(rangesOf(await keep(stop, 9_000))).toEqual([[6_000, 3_000]]);
  expect(rangesOf(await keep(stop, 9_500))).toEqual([[6_000, 3_000]]);
  // Nothing lies between the end of the last range and an earlier stop.
  expect(rangesOf(await keep({ ...playEvent, stoppedAtMs: 7_000 }, 9_600))).toEqual([]);
});

test('more time than has passed is refused, and nothing of the range is kept', async () => {
  const { date } = dating();
  expect(await date(played(0, 400_000), device, startMs + 99_999)).toEqual({
    ok: false,
    reason: { code: 'IN_FUTURE', detail: 'det: more time than has passed since cs' },
  });
  expect(await date(played(0, 400_000), device, startMs + 100_000)).toMatchObject({ ok: true });
});
