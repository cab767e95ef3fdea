import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Publication } from '../../catalog/catalog.ts';
import { type Fact, slotMs } from '../../store/facts.ts';
import type { Draft } from '../draft.ts';
import { identifyView } from '../steps/view-identity.ts';
import { setUnusualApart } from './detector-steps.ts';
import { createQuarantineLimit, limitQuarantine, refuseWhileFull } from './quarantine-limit.ts';
import { judgedView } from './view-table.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 20, 12);
const suspect = 'ADDRESS:2026-11-20:0123456789abcdef';

const fact = (given: Partial<Fact> = {}): Fact => ({
  ...{ accountId: 1, packageId: 2, videoId: 3, os: 'iOS', osVersion: '18' },
  ...{ view: identifyView('beacon', 'v'), stretch: 0, slotStart: 0, plays: 1, playMs: 1, suspect },
  ...given,
});

test('room is for so many facts of an account on a day', () => {
  const clock = manualClock();
  const room = createQuarantineLimit(300, clock);
  const take = (...facts: Fact[]) => room.take(facts);
  expect(take(fact(), fact({ slotStart: slotMs }))).toBe(true);
  // All of them or none.
  expect(take(fact({ stretch: 1 }), fact({ stretch: 2 }))).toBe(false);
  expect(take(fact({ stretch: 1 }))).toBe(true);
  for (const other of [{ stretch: 2 }, { videoId: 4 }]) expect(take(fact(other))).toBe(false);
  // Of another system it is the same fact.
  expect(take(fact({ os: 'Windows' }))).toBe(true);
  // What is known only grows.
  expect(take(fact({ playMs: 9 }), fact({ slotStart: slotMs, playMs: 9 }))).toBe(true);
  expect(take(fact({ accountId: 5, stretch: 7 }))).toBe(true);
  // One that begins at another time is another fact.
  const details = { startMs: 7, laterMs: 0, mediaMs: 0, attributes: {} };
  expect(take(fact({ details }))).toBe(false);
  clock.advance(dayMs / 3);
  expect(take(fact({ stretch: 2 }))).toBe(true);
  expect(take(fact({ stretch: 3 }))).toBe(false);
});

test('of much room only so much is for once as comes in ten minutes', () => {
  const clock = manualClock();
  const [perDay, atOnce] = [2_880_000, 20_000];
  const room = createQuarantineLimit(100 * perDay, clock);
  const taken = (from: number, many: number) =>
    Array.from({ length: many }, (_, stretch) => room.take([fact({ stretch: from + stretch })]));
  expect(taken(0, atOnce + 9).filter((isTaken) => isTaken)).toHaveLength(atOnce);
  clock.advance(60_000);
  expect(taken(50_000, 2_009).filter((isTaken) => isTaken)).toHaveLength(2_000);
});

test('while there is no room at all, what is new is refused before it is made into facts', () => {
  const room = createQuarantineLimit(100, manualClock());
  const step = refuseWhileFull(room);
  const publication = { accountId: 1, packageId: 2, videoId: 3 } as Publication;
  const draft = { ...fact(), publication, atMs: 5 } as unknown as Draft;
  const run = (given: Partial<Draft>, accountId?: number) =>
    step.run({ ...draft, ...given }, { sender: { accountId }, nowMs })?.code;
  expect(run({})).toBeUndefined();
  const details = { startMs: 5, laterMs: 0, mediaMs: 0, attributes: {} };
  expect(room.take([fact({ details })])).toBe(true);
  expect(run({})).toBeUndefined();
  for (const other of [{ stretch: 1 }, { atMs: 6 }]) expect(run(other)).toBe('TOO_MUCH_APART');
  expect(run({ stretch: 1, suspect: undefined })).toBeUndefined();
  expect(run({ stretch: 1 }, 1)).toBeUndefined();
});

test('without a limit there is always room', () => {
  const room = createQuarantineLimit(0, manualClock());
  for (let stretch = 0; stretch < 9; stretch += 1) {
    expect(room.isFull(fact({ stretch }))).toBe(false);
    expect(room.take([fact({ stretch })])).toBe(true);
  }
});

/** The facts that are left, or why the draft is refused. */
function bounded(facts: Fact[], given: Partial<Draft>, accountId?: number, bytes = 1) {
  const step = limitQuarantine(createQuarantineLimit(bytes, manualClock()));
  const draft = { facts, ...given } as Draft;
  const refusal = step.run(draft, { sender: { accountId }, nowMs });
  return refusal?.code ?? draft.facts;
}

test('what is set apart is refused where there is no room; the usual part still counts', () => {
  const usual = fact({ suspect: '' });
  expect(bounded([usual], {})).toEqual([usual]);
  expect(bounded([fact()], { suspect })).toBe('TOO_MUCH_APART');
  expect(bounded([usual, fact()], { beyond: { suspect, fromMs: 1 } })).toEqual([usual]);
});

test('what is usual takes no room from what is set apart', () => {
  const both = [fact({ suspect: '' }), fact()];
  expect(bounded(both, { suspect }, undefined, 100)).toEqual(both);
});

test('a draft is judged in its step, which refuses nothing', () => {
  const step = setUnusualApart({
    judge(draft, context) {
      draft.suspect = `${suspect} ${context.nowMs}`;
    },
  });
  const draft = { facts: [] as readonly Fact[] } as Draft;
  expect(step.run(draft, { sender: {}, nowMs })).toBeUndefined();
  expect(draft.suspect).toBe(`${suspect} ${nowMs}`);
});

test('the words of a view are those of its name, beside its system, package and video', () => {
  const view = '01234567-89ab-cdef-fedc-ba9876543210';
  const of = { view, packageId: 0, videoId: 0 } as const;
  const first = 0x01234567;
  expect(judgedView(of).key).toEqual([first, 0x89abcdef, 0xfedcba98, 0x76543210]);
  expect(judgedView({ ...of, packageId: 1, videoId: 2 }).key).toEqual([
    ...[first, 0x89abcdee, 0xfedcba9a, 0x76543210],
  ]);
});

test('what an account reports with its key is its own affair', () => {
  expect(bounded([fact()], { suspect }, 1)).toEqual([fact()]);
});
