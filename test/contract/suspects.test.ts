/** What is set apart counts exactly when it is accepted, on stores that sum in different ways. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compileSums } from '../../src/query/compile/sums-sql.ts';
import { type Fact, slotMs } from '../../src/store/facts.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import { describeKinds } from '../support/each-kind.ts';
import { summingStores } from '../support/fact-stores.ts';
import { holdStatement } from '../support/held-statement.ts';
import { countedViews, naiveSums, storedSums } from '../support/naive-sums.ts';
import { type VerdictBook, verdictBook } from '../support/verdict-book.ts';
import { waitUntil } from '../support/wait-until.ts';

const dayMs = 86_400_000;
/** The last day of a year, and the first of the next. */
const firstDay = Date.UTC(2025, 11, 31);
const secondDay = firstDay + dayMs;
const slots = [firstDay, secondDay - slotMs, secondDay, secondDay + slotMs];
const views = Array.from({ length: 3 }, () => randomUUID());
const suspects = ['VIDEO:2026-01-01:11', 'ADDRESS:2026-01-01:9f3c1a0b2d4e5f60'] as const;
const [suspect, otherSuspect] = suspects;

let accounts = 1_000_000;
/** Tests share a store, and no account. */
const newAccount = () => {
  accounts += 1;
  return accounts;
};

const anyFact = fc.record({
  slotStart: fc.constantFrom(...slots),
  packageId: fc.constant(1),
  videoId: fc.integer({ min: 11, max: 12 }),
  os: fc.constantFrom('iOS', 'Linux'),
  osVersion: fc.constant('18'),
  view: fc.constantFrom(...views),
  stretch: fc.nat(2),
  suspect: fc.constantFrom('', ...suspects),
  plays: fc.nat(1),
  playMs: fc.oneof(fc.nat(900_000), fc.constantFrom(0, 449_999, 450_000, 450_001, 900_000)),
});
const node = fc.constantFrom<0 | 1>(0, 1);
const anyAct = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    node,
    facts: fc.array(anyFact, { minLength: 1, maxLength: 12 }),
  }),
  fc.record({
    kind: fc.constant('write again' as const),
    node,
    share: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant('roll up' as const), node }),
  fc.record({ kind: fc.constant('catch up' as const) }),
  fc.record({
    kind: fc.constant('judge' as const),
    suspect: fc.constantFrom(...suspects),
    isAccepted: fc.boolean(),
  }),
);
type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;
/** What is in one round happens at once. */
const anyRounds = fc.array(fc.array(anyAct, { minLength: 1, maxLength: 3 }), {
  minLength: 2,
  maxLength: 5,
});

/** Times of a view's stretches in one slot, what counts of them, and the suspect of the second. */
const fullSlots: readonly [string, readonly number[], number, string?][] = [
  ['449999 and 450000', [449_999, 450_000], 899_999],
  ['450000 and 450000', [450_000, 450_000], 900_000],
  ['450001 and 450000', [450_001, 450_000], 900_000],
  ['a whole slot', [900_000, 0], 900_000],
  ['a whole slot and 1', [900_000, 1], 900_000],
  ['three stretches', [500_000, 300_000, 200_000], 900_000],
  ['suspects as well', [500_000, 399_999, 1], 900_000, suspect],
];

function factOf(accountId: number, other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId, slotStart: firstDay, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: randomUUID(), stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    ...other,
  };
}

describeKinds(summingStores(), 'suspects on $name', (kind) => {
  let book: VerdictBook;
  let facts: Facts;
  beforeAll(async () => {
    book = verdictBook();
    facts = await kind.open(await kind.newLocation(), 'node', { verdicts: book });
  });
  afterAll(() => kind.stop());

  async function expectCounted(opened: Facts, accountId: number, written: readonly Fact[]) {
    const counted = countedViews(written, book.accepted(accountId));
    expect(await storedSums((query) => opened.read(query), accountId)).toEqual({
      bySlot: naiveSums(counted, false),
      byDay: naiveSums(counted, true),
    });
  }

  test('sums are those of what counts, whoever knows of a verdict when', async () => {
    const place = await kind.newLocation();
    const late = book.lateReader();
    const nodes = [
      await kind.open(place, 'one', { verdicts: book }),
      await kind.open(place, 'other', { verdicts: late }),
    ] as const;
    const [one, other] = nodes;
    const written = new Map<number, Fact[]>();
    /** Answers the suspect that was judged. */
    const play = async (accountId: number, act: Act): Promise<string | undefined> => {
      const before = written.get(accountId) ?? [];
      if (act.kind === 'catch up') late.catchUp();
      else if (act.kind === 'roll up') await nodes[act.node].rollUp();
      else if (act.kind === 'judge') {
        book[act.isAccepted ? 'accept' : 'refuse'](accountId, act.suspect);
        return act.suspect;
      } else {
        const some =
          act.kind === 'write'
            ? act.facts.map((fact) => ({ ...fact, accountId }))
            : before.filter((_, index) => index % act.share === 0);
        if (act.kind === 'write') written.set(accountId, [...before, ...some]);
        if (some.length > 0) await nodes[act.node].stretches.write(some);
      }
      return undefined;
    };
    const expectAll = async (opened: Facts) => {
      for (const [accountId, facts] of written) await expectCounted(opened, accountId, facts);
    };
    // Several accounts side by side take hardly longer than one.
    const count = kind.someOf(3);
    const ofAccounts = fc.array(anyRounds, { minLength: count, maxLength: count });
    await fc.assert(
      fc.asyncProperty(ofAccounts, async (all) => {
        written.clear();
        const accounts = all.map((rounds) => ({ accountId: newAccount(), rounds }));
        for (let round = 0; accounts.some(({ rounds }) => round < rounds.length); round += 1) {
          const playing = accounts.map(async ({ accountId, rounds }) => {
            const acts = rounds[round] ?? [];
            const judged = await Promise.all(acts.map((act) => play(accountId, act)));
            return judged.flatMap((suspect) => (suspect ? [{ accountId, suspect }] : []));
          });
          const judged = (await Promise.all(playing)).flat();
          for (const name of judged) await one.suspects.sumAgain(name);
          await other.rollUp();
          await one.rollUp();
          await expectAll(one);
        }
        late.catchUp();
        await other.rollUp();
        await expectAll(other);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  test('what an accepted suspect told of a view goes when it is refused', async () => {
    const accountId = newAccount();
    const of = { view: randomUUID(), stretch: 0 };
    const written = [
      factOf(accountId, { ...of, os: 'Linux' }),
      factOf(accountId, { ...of, os: 'iOS', slotStart: secondDay, plays: 0, suspect }),
    ];
    await facts.stretches.write(written);
    await facts.rollUp();
    await expectCounted(facts, accountId, written);
    for (const verdict of ['accept', 'refuse', 'accept'] as const) {
      book[verdict](accountId, suspect);
      await facts.suspects.sumAgain({ accountId, suspect });
      await facts.rollUp();
      await expectCounted(facts, accountId, written);
    }
  });

  test('a node that does not know a verdict yet takes nothing from the sums', async () => {
    const place = await kind.newLocation();
    const late = book.lateReader();
    const one = await kind.open(place, 'one', { verdicts: book });
    const other = await kind.open(place, 'other', { verdicts: late });
    const accountId = newAccount();
    const written = [factOf(accountId), factOf(accountId, { suspect })];
    await one.stretches.write(written);
    await one.rollUp();
    await other.rollUp();
    book.accept(accountId, suspect);
    await one.suspects.sumAgain({ accountId, suspect });
    await one.stretches.write(written);
    await other.rollUp();
    await expectCounted(one, accountId, written);
  });

  test('the accepted suspects of a range are those with facts in it', async () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const of = (account: number) => {
      const range = { accountId: account, fromMs: secondDay - slotMs, untilMs: secondDay };
      return facts.countedWithin(range).then(({ accepted }) => accepted);
    };
    await facts.stretches.write([
      factOf(accountId, { slotStart: secondDay - slotMs, suspect }),
      factOf(accountId, { slotStart: secondDay - slotMs, suspect: 'UNSIGNED:2026-01-01:1' }),
      factOf(accountId, { slotStart: secondDay, suspect: otherSuspect }),
      factOf(accountId, { slotStart: secondDay - 2 * slotMs, suspect: otherSuspect }),
      factOf(other, { slotStart: secondDay - slotMs, suspect }),
    ]);
    await facts.rollUp();
    expect(await of(accountId)).toEqual([]);
    for (const name of suspects) book.accept(accountId, name);
    expect(await of(accountId)).toEqual([suspect]);
    expect(await of(other)).toEqual([]);
    book.refuse(accountId, suspect);
    expect(await of(accountId)).toEqual([]);
  });

  test('a question sees all of a verdict or nothing of it', async () => {
    const accountId = newAccount();
    const days = [0, 1, 2].map((day) => Date.UTC(2026, 4, 4 + day));
    const of = (view: number, about: Partial<Fact>) =>
      days.flatMap((day) =>
        [0, 1, 95].map((slot) =>
          factOf(accountId, { slotStart: day + slot * slotMs, view: views[view] ?? '', ...about }),
        ),
      );
    const usual = of(0, {});
    await facts.stretches.write([
      ...usual,
      ...of(1, { suspect, videoId: 12 }),
      // Some of it in a sum that others have as well, some alone.
      ...of(2, { suspect, os: 'Linux' }),
    ]);
    await facts.rollUp();
    const span = (from: number, until: number) => ({ fromMs: from, untilMs: until });
    const [first = 0, second = 0, third = 0] = days;
    const planned = {
      ...({ source: 'sums', accountId, spans: [], counts: ['plays', 'playMs'] } as const),
      conditions: { sql: [], parameters: {} },
    };
    const keysOf = (sql: string) => ({ sql: [sql], parameters: {}, conditions: [] });
    const questions = [
      compileSums(
        {
          ...{ ...planned, grouping: 'account-os', keys: keysOf('os'), clock: [] },
          cover: {
            days: [span(second, third)],
            slots: [span(first, second), span(third, third + dayMs)],
          },
        },
        9,
      ),
      compileSums(
        {
          ...{ ...planned, grouping: 'package', keys: keysOf('toDate(slot)') },
          ...{ clock: [], conditions: { sql: ['packageId = 1'], parameters: {} } },
          cover: { days: [], slots: [span(first, third + dayMs)] },
        },
        9,
      ),
    ];
    const answers = async () => {
      const seen: string[] = [];
      for (const question of questions) {
        seen.push(JSON.stringify(await facts.read(question)));
      }
      return seen;
    };
    const refused = await answers();
    book.accept(accountId, suspect);
    await facts.rollUp();
    const accepted = await answers();
    expect(JSON.parse(refused[0] ?? '')).toEqual([
      { key0: 'iOS', count_plays: 9, count_playMs: 9_000 },
    ]);
    expect(JSON.parse(accepted[0] ?? '')).toEqual([
      { key0: 'Linux', count_plays: 9, count_playMs: 9_000 },
      { key0: 'iOS', count_plays: 18, count_playMs: 18_000 },
    ]);

    for (let flip = 0; flip < 2; flip += 1) {
      const isAccepted = flip % 2 === 1;
      book[isAccepted ? 'accept' : 'refuse'](accountId, suspect);
      let isFlipping = true;
      const reading = Array.from({ length: 1 }, async () => {
        const seen: string[][] = [];
        do seen.push(await answers());
        while (isFlipping);
        return seen;
      });
      // Playback goes on meanwhile, in one of the suspect's slots: it is summed by the new verdict.
      await facts.stretches.write(usual.slice(-1));
      await Promise.all([facts.rollUp(), facts.suspects.sumAgain({ accountId, suspect })]);
      isFlipping = false;
      for (const [index] of questions.entries()) {
        const seen = new Set((await Promise.all(reading)).flat().map((all) => all[index]));
        expect([refused[index], accepted[index]]).toEqual(expect.arrayContaining([...seen]));
      }
      expect(await answers()).toEqual(isAccepted ? accepted : refused);
    }
  });

  /** As many as are looked at here, from the first to the last. */
  const some = <Item>(all: readonly Item[]) => {
    const share = kind.someOf(all.length) / all.length;
    return all.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share));
  };

  test('a view has no more time in a slot than the slot, in whatever order it is reported', {
    tags: 'long',
  }, async () => {
    const accounts = fullSlots.flatMap(([name, times, playMs, of = '']) =>
      permutations(times.map((time, stretch) => ({ time, stretch }))).map((order) => {
        const accountId = newAccount();
        book.accept(accountId, suspect);
        const view = randomUUID();
        const written = order.map(({ time, stretch }) =>
          factOf(accountId, {
            ...{ view, stretch, playMs: time },
            ...{ plays: stretch === 0 ? 1 : 0, suspect: stretch === 1 ? of : '' },
          }),
        );
        return { name, accountId, playMs, written };
      }),
    );
    // All at once: what is summed together costs no more than one of them.
    for (const turn of [0, 1, 2, 0]) {
      await facts.stretches.write(accounts.flatMap(({ written }) => written.slice(turn, turn + 1)));
      await facts.rollUp();
    }
    for (const { name, accountId, playMs, written } of some(accounts)) {
      const counted = countedViews(written, book.accepted(accountId));
      const sums = await storedSums((query) => facts.read(query), accountId);
      expect({ name, ...sums }).toEqual({
        ...{ name, bySlot: naiveSums(counted, false), byDay: naiveSums(counted, true) },
      });
      expect(sums.bySlot, name).toContain(`account 0 0   ${firstDay / 1_000} 1 ${playMs}`);
    }
  });

  test('the time of each view is bounded by itself, in each slot by itself', async () => {
    const accountId = newAccount();
    const view = randomUUID();
    const whole = { stretch: 0, playMs: 900_000 };
    const written = [
      factOf(accountId, { view, ...whole }),
      factOf(accountId, { view, ...whole, stretch: 1, plays: 0 }),
      factOf(accountId, { view, ...whole, slotStart: firstDay + slotMs, plays: 0 }),
      factOf(accountId, { view, ...whole, videoId: 12 }),
      factOf(accountId, { view, ...whole, osVersion: '17' }),
      factOf(accountId, whole),
    ];
    await facts.stretches.write(written);
    await facts.rollUp();
    await expectCounted(facts, accountId, written);
    const { bySlot } = await storedSums((query) => facts.read(query), accountId);
    expect(bySlot).toContain(`account 0 0   ${firstDay / 1_000} 3 2700000`);
  });

  test('a stretch that is reported under several suspects counts once', {
    tags: 'long',
  }, async () => {
    const accountId = newAccount();
    const view = randomUUID();
    const written = ['', suspect, otherSuspect].map((name, index) =>
      factOf(accountId, { view, suspect: name, playMs: 10_000 * (index + 1) }),
    );
    await facts.stretches.write(written);
    await facts.rollUp();
    for (const accepted of [otherSuspect, suspect]) {
      book.accept(accountId, accepted);
      await facts.suspects.sumAgain({ accountId, suspect: accepted });
      await expectCounted(facts, accountId, written);
    }
    book.refuse(accountId, otherSuspect);
    await facts.suspects.sumAgain({ accountId, suspect: otherSuspect });
    await expectCounted(facts, accountId, written);
  });

  test('sums that a roll-up makes by older verdicts give way to those by newer ones', {
    tags: 'long',
  }, async () => {
    const accountId = newAccount();
    const place = await kind.newLocation();
    const line = await holdStatement(await kind.firstUrl(), 'INSERT INTO playback_sum');
    onTestFinished(line.close);
    const late = book.lateReader();
    const one = await kind.open(place, 'one', { verdicts: book });
    book.accept(accountId, suspect);
    const written = [factOf(accountId), factOf(accountId, { suspect, videoId: 12 })];
    await one.stretches.write(written);
    await one.rollUp();
    late.catchUp();
    const opening = kind.open(place, 'slow', { verdicts: late, url: line.url });
    await waitUntil('the statement of the slow one', () => line.held() > 0);

    book.refuse(accountId, suspect);
    await one.suspects.sumAgain({ accountId, suspect });
    // In a sum of its own, which nothing of the new epoch can take the place of yet.
    const meanwhile = factOf(accountId, { suspect, videoId: 13 });
    await one.stretches.write([meanwhile]);
    written.push(meanwhile);
    line.release();
    const slow = await opening;
    await one.rollUp();
    await expectCounted(one, accountId, written);
    late.catchUp();
    await slow.rollUp();
    await expectCounted(slow, accountId, written);
  });

  test('a hundred accepted suspects whose facts come at once count all', {
    tags: 'long',
  }, async () => {
    const accounts = Array.from({ length: 100 }, () => {
      const accountId = newAccount();
      return { accountId, facts: [factOf(accountId), factOf(accountId, { suspect, videoId: 12 })] };
    });
    for (const { accountId } of accounts) book.accept(accountId, suspect);
    await facts.stretches.write(accounts.flatMap((account) => account.facts));
    await facts.rollUp();
    for (const account of some(accounts))
      await expectCounted(facts, account.accountId, account.facts);
  });

  test('the list shows what each suspect would add by itself', async () => {
    const accountId = newAccount();
    const [view, other] = [randomUUID(), randomUUID()];
    await facts.stretches.write([
      factOf(accountId, { playMs: 5 }),
      factOf(newAccount(), { suspect, playMs: 6 }),
      factOf(accountId, { suspect, view, playMs: 700_000 }),
      factOf(accountId, { suspect, view, stretch: 1, plays: 0, playMs: 700_000 }),
      factOf(accountId, { suspect, view: other, videoId: 12, slotStart: secondDay, playMs: 1 }),
      factOf(accountId, { suspect: otherSuspect, slotStart: secondDay }),
    ]);
    await facts.rollUp();
    const list = (fromMs: number, untilMs: number) =>
      facts.suspects.list({ accountId, fromMs, untilMs });
    const ofOther = {
      ...{ suspect: otherSuspect, fromMs: secondDay, untilMs: secondDay + slotMs },
      ...{ views: 1, videos: 1, plays: 1, playMs: 1_000 },
    };
    expect(await list(firstDay, secondDay + 1)).toEqual([
      {
        ...{ suspect, fromMs: firstDay, untilMs: secondDay + slotMs },
        ...{ views: 2, videos: 2, plays: 2, playMs: 900_001 },
      },
      ofOther,
    ]);
    expect(await list(firstDay + 1, secondDay + 1)).toEqual([
      ofOther,
      {
        ...{ suspect, fromMs: secondDay, untilMs: secondDay + slotMs },
        ...{ views: 1, videos: 1, plays: 1, playMs: 1 },
      },
    ]);
    expect(await list(firstDay, secondDay)).toMatchObject([{ suspect, views: 1 }]);
    expect(await list(secondDay + 1, secondDay + dayMs)).toEqual([]);
    const namesSince = async (sinceMs: number) => {
      const names = await facts.suspects.namesSince(sinceMs);
      return names.filter((name) => name.accountId === accountId).map((name) => name.suspect);
    };
    expect((await namesSince(firstDay)).sort()).toEqual([suspect, otherSuspect].sort());
    expect(await namesSince(secondDay + slotMs)).toEqual([]);
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
