/** The order and the bound of rows, as the store computes them. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  mostValues,
  orderRows,
  orderRowsWithRest,
  type RowOrder,
} from '../../src/query/statistics/row-order.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import type { DimensionName } from '../../src/vocabulary/statistics.ts';
import { factStores } from '../support/fact-stores.ts';

const [, store] = factStores();
let facts: Facts;
beforeAll(async () => {
  const location = await store?.newLocation();
  facts = (await (location && store?.open(location))) as Facts;
});
afterAll(() => store?.stop());

interface Row {
  readonly label: string;
  readonly plays: number;
  readonly playMs: number;
}

async function ordered(label: DimensionName, order: RowOrder, rows: readonly Row[]) {
  const select = `SELECT part.1 AS label, toUInt64(part.2) AS plays, toUInt64(part.3) AS playMs
    FROM (SELECT arrayJoin(arrayZip({labels:Array(String)}, {plays:Array(UInt64)},
      {times:Array(UInt64)})) AS part)`;
  const parameters = {
    labels: rows.map((row) => row.label),
    plays: rows.map(({ plays }) => plays),
    times: rows.map(({ playMs }) => playMs),
  };
  const [answered, withRest] = await Promise.all(
    [orderRows, orderRowsWithRest].map((arrange) =>
      facts.read<Row>({ name: 'order rows', sql: arrange(select, label, order), parameters }),
    ),
  );
  expect(withRest).toEqual(answered);
  return answered as Row[];
}

const rowOf = ([label, plays, playMs]: readonly [string, number, number]): Row => {
  return { label, plays, playMs };
};
const versions = (
  [
    ['10.15', 1, 5_000],
    ['9', 1, 7_000],
    ['Unknown', 1, 5_999],
    ['10', 1, 5_500],
  ] as const
).map(rowOf);
const systems = (
  [
    ['macOS', 1, 2_999],
    ['Android', 1, 2_000],
    ['iOS', 2, 1_000],
  ] as const
).map(rowOf);

test.each([
  ['os', 'os', 'asc', systems, ['Android', 'iOS', 'macOS']],
  ['os', 'os', 'desc', systems, ['macOS', 'iOS', 'Android']],
  // Ties by label, ascending whichever the direction.
  ['os', 'videoCount', 'desc', systems, ['iOS', 'Android', 'macOS']],
  ['os', 'videoCount', 'asc', systems, ['Android', 'macOS', 'iOS']],
  // By whole seconds: 2,999 ms and 2,000 ms are a tie.
  ['os', 'duration', 'desc', systems, ['Android', 'macOS', 'iOS']],
  ['detail', 'detail', 'asc', versions, ['9', '10', '10.15', 'Unknown']],
  ['detail', 'detail', 'desc', versions, ['Unknown', '10.15', '10', '9']],
  ['detail', 'videoCount', 'desc', versions, ['9', '10', '10.15', 'Unknown']],
  ['detail', 'duration', 'asc', versions, ['10', '10.15', 'Unknown', '9']],
  // A label that all rows share: here of hours, their date.
  ['detail', 'os', 'desc', versions, ['9', '10', '10.15', 'Unknown']],
] as const)('%s by %s, %s', async (label, sortData, sortDirection, rows, expected) => {
  for (const given of [rows, rows.toReversed()]) {
    const answered = await ordered(label, { sortData, sortDirection }, given);
    expect(answered.map((row) => row.label)).toEqual(expected);
  }
});

const ascending = { sortData: 'detail', sortDirection: 'asc' } as const;

test('versions are ordered part by part, numbers by value and before anything else', async () => {
  const inOrder = [
    ...['0', '00', '07', '7', '08', '9', '10', '10.0', '10.9', '10.15', '10.15.1', '10.alpha'],
    ...['10.beta', '99999999999999999999', '100000000000000000000', '', '.1', '1a', 'Unknown'],
  ];
  const rows = inOrder.toReversed().map((label) => ({ label, plays: 1, playMs: 0 }));
  const answered = await ordered('detail', ascending, rows);
  expect(answered.map(({ label }) => label)).toEqual(inOrder);
});

test('any versions have the order that a naive comparison gives', async () => {
  const part = fc.constantFrom('', '0', '1', '01', '9', '10', '123', 'a', 'b', 'Unknown');
  const version = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  const some = fc.uniqueArray(version, { minLength: 1, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(some, async (labels) => {
      const rows = labels.map((label) => ({ label, plays: 1, playMs: 0 }));
      const answered = await ordered('detail', ascending, rows);
      expect(answered.map(({ label }) => label)).toEqual(labels.toSorted(compareNaively));
    }),
    { numRuns: 10 },
  );
});

test.each([
  ['as many values as an answer lists', 0],
  ['one more', 1],
  ['many more', 500],
])('%s: the rest is one row, and nothing is lost', async (_name, more) => {
  const count = mostValues + more;
  const select = `SELECT toString(number) AS label, number AS plays, number * 1000 AS playMs
    FROM numbers({count:UInt32})`;
  const order = { sortData: 'videoCount', sortDirection: 'asc' } as const;
  const read = (arrange: typeof orderRows) =>
    facts.read<Row>({
      name: 'bound rows',
      sql: arrange(select, 'os', order),
      parameters: { count },
    });
  expect(await read(orderRows)).toHaveLength(mostValues + Math.min(more, 1));
  const rows = await read(orderRowsWithRest);
  expect(rows).toHaveLength(mostValues + Math.min(more, 1));
  expect(rows.reduce((sum, { plays }) => sum + plays, 0)).toBe((count * (count - 1)) / 2);
  const others = rows.filter(({ label }) => label === 'Other');
  // Those played least.
  const least = (more * (more - 1)) / 2;
  expect(others).toEqual(
    more === 0 ? [] : [{ label: 'Other', plays: least, playMs: least * 1000 }],
  );
});

test('the rest is one row with what was stored as such', async () => {
  const select = `SELECT if(number = 1, 'Other', toString(number)) AS label,
    toUInt64({count:UInt32} - number) AS plays, toUInt64(0) AS playMs
    FROM numbers({count:UInt32})`;
  const count = mostValues + 1;
  const order = { sortData: 'videoCount', sortDirection: 'desc' } as const;
  const sql = orderRowsWithRest(select, 'os', order);
  const rows = await facts.read<Row>({ name: 'bound rows', sql, parameters: { count } });
  expect(rows).toHaveLength(mostValues);
  expect(rows.slice(0, 2)).toEqual([
    { label: '0', plays: count, playMs: 0 },
    { label: 'Other', plays: count - 1 + 1, playMs: 0 },
  ]);
});

function compareNaively(one: string, other: string): number {
  const [left, right] = [one.split('.'), other.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [a, b] = [left[index], right[index]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
    if (isNumber && BigInt(a) !== BigInt(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
