/** Time that is taken back: sums shrink, whoever writes, sums, and ends in between. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fact } from '../../src/store/facts.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import { describeKinds } from '../support/each-kind.ts';
import { summingStores } from '../support/fact-stores.ts';
import { countedViews, naiveSums, storedSums } from '../support/naive-sums.ts';
import { type VerdictBook, verdictBook } from '../support/verdict-book.ts';

const slotMs = 900_000;
const firstDay = Date.UTC(2026, 10, 20);
const suspect = 'LENGTH:2026-11-20:1';

let accounts = 0;
const newAccount = () => {
  accounts += 1;
  return accounts;
};

const views = [randomUUID(), randomUUID()];

function factOf(accountId: number, other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId, slotStart: firstDay, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: views[0] as string, stretch: 0, suspect: '', plays: 0, playMs: 60_000 },
    ...other,
  };
}

const ceilingOf = (ms: number, known: number) => ({ ceiling: { ms, known }, playMs: ms });

/** What requests make that know so many events: those that know as many make the same. */
const anyTelling = fc.record({
  kind: fc.constant('tell' as const),
  slot: fc.constantFrom(0, 1, 95, 96),
  view: fc.constantFrom(...views),
  stretch: fc.nat(2),
  known: fc.nat(6),
  isApart: fc.boolean(),
  node: fc.nat(1),
});
const anyAct = fc.oneof(
  { arbitrary: anyTelling, weight: 4 },
  fc.record({ kind: fc.constant('roll up' as const), node: fc.nat(1) }),
  fc.record({ kind: fc.constant('judge' as const), isAccepted: fc.boolean() }),
);

type Telling = Omit<typeof anyTelling extends fc.Arbitrary<infer Value> ? Value : never, 'node'>;

function reportedFacts(
  accountId: number,
  { slot, view, stretch, known, isApart }: Telling,
): Fact[] {
  const slotStart = firstDay + slot * slotMs;
  const ms = (known * 37_123 + stretch * 11_003 + slot * 7_001) % 90_000;
  const usual = factOf(accountId, { slotStart, view, stretch, playMs: ms });
  const ceiling = known === 0 ? {} : { ceiling: { ms, known } };
  if (!isApart) return [{ ...usual, ...ceiling }];
  const apart = { ...usual, ...ceiling, suspect };
  return known === 0 ? [apart] : [apart, { ...usual, ...ceiling, playMs: 0 }];
}

describeKinds(summingStores(), 'ceilings on $name', (kind) => {
  let book: VerdictBook;
  let facts: Facts;
  beforeAll(async () => {
    book = verdictBook();
    facts = await kind.open(await kind.newLocation(), 'node', { verdicts: book });
  });
  afterAll(() => kind.stop());

  const sumsOf = (opened: Facts, accountId: number) =>
    storedSums((query) => opened.read(query), accountId);
  const expectedOf = (accountId: number, written: readonly Fact[]) => {
    const counted = countedViews(written, book.accepted(accountId));
    return { bySlot: naiveSums(counted, false), byDay: naiveSums(counted, true) };
  };

  test('the sums follow those who knew most, whoever writes and sums when', {
    tags: 'long',
  }, async () => {
    const place = await kind.newLocation();
    const nodes = [
      await kind.open(place, 'one', { verdicts: book }),
      await kind.open(place, 'other', { verdicts: book }),
    ] as const;
    const anyRounds = fc.array(fc.array(anyAct, { minLength: 1, maxLength: 4 }), {
      minLength: 2,
      maxLength: 7,
    });
    await fc.assert(
      fc.asyncProperty(anyRounds, async (rounds) => {
        const accountId = newAccount();
        const written: Fact[] = [];
        for (const round of rounds) {
          await Promise.all(
            round.map(async (act) => {
              if (act.kind === 'roll up') return nodes[act.node as 0 | 1].rollUp();
              if (act.kind === 'judge') {
                return book[act.isAccepted ? 'accept' : 'refuse'](accountId, suspect);
              }
              const reported = reportedFacts(accountId, act);
              written.push(...reported);
              return nodes[act.node as 0 | 1].stretches.write(reported);
            }),
          );
        }
        for (const node of nodes) await node.rollUp();
        for (const node of nodes) {
          await node.suspects.sumAgain({ accountId, suspect });
          expect(await sumsOf(node, accountId)).toEqual(expectedOf(accountId, written));
        }
      }),
      { numRuns: kind.someOf(2) },
    );
  });

  test('sums shrink at once, and no epoch rises', async () => {
    const accountId = newAccount();
    const written = [0, 1, 96].map((slot) =>
      factOf(accountId, { slotStart: firstDay + slot * slotMs }),
    );
    await facts.stretches.write(written);
    await facts.rollUp();
    for (const [ms, known] of [
      [5_000, 3],
      // Who knew less comes late.
      [60_000, 2],
      [0, 6],
    ] as const) {
      const reported = written.slice(0, 3).map((fact) => ({ ...fact, ...ceilingOf(ms, known) }));
      written.push(...reported);
      await facts.stretches.write(reported);
      await facts.rollUp();
      expect(await sumsOf(facts, accountId)).toEqual(expectedOf(accountId, written));
    }
    expect((await book.current()).epochs.get(accountId) ?? 0).toBe(0);
  });
});
