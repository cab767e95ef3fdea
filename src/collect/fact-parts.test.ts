/** How the facts of a request reach the spool: at once where they are few, otherwise in parts. */
import { expect, test } from 'vitest';
import type { EventCollecting } from '../../test/support/collecting-events.ts';
import { useFilm } from '../../test/support/use-film.ts';
import type { Fact } from '../store/facts.ts';
import { createFactParts, type FactParts } from './fact-parts.ts';

let collecting: EventCollecting;
let calls: string[];
let parts: FactParts;

useFilm({ startMs: Date.UTC(2026, 10, 20, 12) }, (scene) => {
  ({ collecting } = scene);
  begin();
});

function begin(erased?: (facts: readonly Fact[]) => Promise<ReadonlySet<Fact>>): void {
  const { spool, values } = collecting.parts;
  calls = [];
  const noted = {
    add(facts: readonly Fact[]) {
      calls.push(`add ${facts.length}`);
      return spool.add(facts);
    },
    addInTurn(facts: readonly Fact[]) {
      calls.push(`in turn ${facts.length}`);
      return spool.addInTurn(facts);
    },
    takeTurn() {
      calls.push('turn');
      return spool.takeTurn();
    },
  };
  parts = createFactParts({ spool: noted, values, ...(erased && { erased }) }, {});
}

const facts = (count: number): Fact[] =>
  Array.from({ length: count }, (_, stretch) => ({
    ...{ accountId: 1, slotStart: 0, packageId: 2, videoId: 3, os: 'iOS', osVersion: '17' },
    ...{ view: 'view', stretch, suspect: '', plays: 0, playMs: 1 },
  }));
const written = () => collecting.facts.written.map(({ length }) => length);
/** A room that notes when it is left. */
const room = { arrived: async () => {}, leave: () => void calls.push('left') };

test.each([
  ['two facts a report', 4, 2, ['add 4', 'left']],
  ['one more', 5, 2, ['in turn 5']],
  ['none of no report', 0, 0, ['add 0', 'left']],
])('%s', async (_name, count, reports, expected) => {
  expect(parts.put(facts(count), reports)).toBeUndefined();
  await parts.end(room);
  expect(calls).toEqual(expected);
});

test('reports add up with their facts, and are of one part', async () => {
  parts.put(facts(1), 1);
  parts.put(facts(3), 1);
  await parts.end(room);
  parts.put(facts(2), 1);
  await parts.end();
  parts.put(facts(1), 0);
  await parts.end(room);
  expect(calls).toEqual(['add 4', 'left', 'add 2', 'in turn 1']);
  expect(written()).toEqual([4, 2, 1]);
});

test('after 500 facts the next ones are made in another turn', async () => {
  expect(parts.put(facts(499), 499)).toBeUndefined();
  await parts.put(facts(1), 1);
  expect(parts.put(facts(499), 499)).toBeUndefined();
  await parts.put(facts(1), 1);
  await parts.end(room);
  expect(calls).toEqual(['turn', 'turn', 'add 1000', 'left']);
});

test('2,000 facts are a part, which is durable before more are made', async () => {
  collecting.facts.hold();
  await parts.put(facts(1_999), 1);
  expect(calls).toEqual(['turn']);
  let isDurable = false;
  const more = parts.put(facts(500), 1)?.then(() => {
    isDurable = true;
  });
  await expect.poll(() => collecting.facts.attempts()).toBe(1);
  expect(isDurable).toBe(false);
  collecting.facts.release();
  await more;
  expect(calls).toEqual(['turn', 'in turn 2499']);
  await parts.put(facts(500), 1);
  await parts.put(facts(1_500), 1);
  expect(calls.slice(2)).toEqual(['turn', 'in turn 2000']);
  expect(written()).toEqual([2_499, 2_000]);
});

test('of what was watched, the erased facts are left out', async () => {
  begin(async (asked) => new Set(asked.filter(({ stretch }) => stretch > 0)));
  const [first, second, third] = facts(3) as [Fact, Fact, Fact];
  parts.put([second], 1);
  await parts.end();
  expect(parts.wereErased([second])).toBe(false);
  parts.watchErased();
  parts.put([first, second, third], 2);
  await parts.end();
  expect(written()).toEqual([1, 1]);
  expect(parts.wereErased([second, third])).toBe(true);
  expect(parts.wereErased([first, second])).toBe(false);
  expect(parts.wereErased([])).toBe(false);
});
