import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  batchOfRows,
  createToldSoFar,
  encodeFacts,
  encodeInPortions,
  type FactBatch,
  factColumns,
  joinBatches,
} from './fact-batch.ts';
import { slotMs } from './facts.ts';

const anyDetails = fc.record({
  startMs: fc.nat(),
  laterMs: fc.nat(),
  position: fc.option(fc.maxSafeNat(), { nil: undefined }),
  mediaMs: fc.nat(),
  viewer: fc.option(fc.bigInt(0n, 2n ** 64n - 1n).map(String), { nil: undefined }),
  attributes: fc.record({ country: fc.string(), page: fc.string() }, { requiredKeys: [] }),
});
const whole = {
  accountId: fc.nat(),
  slotStart: fc.nat(100_000).map((slot) => slot * slotMs),
  packageId: fc.nat(),
  videoId: fc.nat(),
  os: fc.string({ unit: 'binary' }),
  osVersion: fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '\\', 'n', ' ', '') }),
  view: fc.uuid(),
  stretch: fc.nat(),
  suspect: fc.string(),
  plays: fc.constantFrom(0, 1),
  playMs: fc.nat(),
  details: anyDetails,
};
const anyCeiling = fc.record({ ms: fc.nat(900_000), known: fc.integer({ min: 1, max: 20_000 }) });
const anyFact = fc.oneof(fc.record(whole), fc.record({ ...whole, ceiling: anyCeiling }));
const anyFacts = fc.array(anyFact);

test('rows that were kept make the same batch again', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const batch = encodeFacts(facts);
      expect(batchOfRows(batch.columns, batch.rows)).toEqual(batch);
      const slots = facts.map(({ accountId, slotStart }) => [accountId, slotStart / 1_000].join());
      const noted = [...batch.slots].map((slot) => slot.split('\t').map(Number).join());
      expect(new Set(noted)).toEqual(new Set(slots));
    }),
  );
});

test('batches together are the batch of all their facts', () => {
  fc.assert(
    fc.property(fc.array(anyFacts), (groups) => {
      expect(joinBatches(groups.map((facts) => encodeFacts(facts)))).toEqual(
        encodeFacts(groups.flat()),
      );
    }),
  );
});

/** What a row has no column for is empty. */
function valuesOf({ columns, rows }: FactBatch): string[][] {
  const lines = rows.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const values = line.split('\t');
    expect(values).toHaveLength(columns.length);
    return factColumns.map((column) => values[columns.indexOf(column)] ?? '');
  });
}

test('only columns that some fact has told are written, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFacts), async (groups) => {
      const toldSoFar = createToldSoFar();
      const needed = new Set<string>();
      for (const facts of groups) {
        const batch = await encodeInPortions(facts, toldSoFar);
        expect(valuesOf(batch)).toEqual(valuesOf(encodeFacts(facts)));
        for (const { suspect, details } of facts) {
          if (suspect !== '') needed.add('suspect');
          const told = Object.entries(details.attributes).filter(([, value]) => value !== '');
          for (const [column] of told) needed.add(column);
        }
        const few = ['suspect', 'country', 'page', 'label10'];
        expect(few.filter((column) => batch.columns.includes(column))).toEqual(
          few.filter((column) => needed.has(column)),
        );
      }
    }),
  );
});

test('facts of many portions have the columns of all of them', async () => {
  const [fact] = fc.sample(fc.record({ ...whole, suspect: fc.constant('') }), 1);
  const facts = Array(2_500)
    .fill(fact)
    .with(2_400, { ...fact, suspect: 'VIDEO:2026-11-22:17' });
  const batch = await encodeInPortions(facts, createToldSoFar());
  expect(valuesOf(batch)).toEqual(valuesOf(encodeFacts(facts)));
});

test('every row has every column', () => {
  fc.assert(
    fc.property(anyFact, ({ details, ...fact }) => {
      const rows = encodeFacts([fact, { ...fact, details }])
        .rows.toString()
        .split('\n');
      const counts = rows.slice(0, -1).map((row) => row.split('\t').length);
      expect(counts).toEqual([factColumns.length, factColumns.length]);
    }),
  );
});
