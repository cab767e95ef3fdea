import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { watchSequences } from './sequence-watch.ts';

/** Events missed, recovered and repeated, once these were watched. */
async function counted(sent: readonly (readonly [view: string, sequence: number])[]) {
  const metrics = new Registry();
  const watch = watchSequences(metrics);
  for (const [view, sequence] of sent) watch(view, sequence);
  const countOf = async (name: string) => {
    const metric = await metrics.getSingleMetric(`playmeter_cmcd_events_${name}_total`)?.get();
    return metric?.values[0]?.value;
  };
  return Promise.all([countOf('missed'), countOf('recovered'), countOf('repeated')]);
}

const ofOne = (...sequences: readonly number[]) =>
  sequences.map((sequence) => ['one', sequence] as const);
const range = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, index) => from + index);

test.each<[string, readonly (readonly [string, number])[], number[]]>([
  ['all in order', ofOne(0, 1, 2), [0, 0, 0]],
  ['what came before the first is not missed', ofOne(7, 8), [0, 0, 0]],
  ['a gap', ofOne(0, 3), [2, 0, 0]],
  ['a gap filled', ofOne(0, 3, 1, 2), [2, 2, 0]],
  ['a gap filled twice', ofOne(0, 3, 1, 1), [2, 1, 1]],
  ['the last again', ofOne(0, 1, 1), [0, 0, 1]],
  ['one from before the first', ofOne(7, 6), [0, 0, 1]],
  ['views apart', [...ofOne(0), ['other', 2], ['one', 1], ['other', 3]], [0, 0, 0]],
  ['a gap as long as is believed', ofOne(0, 1_001), [1_000, 0, 0]],
  ['a longer gap is another beginning', ofOne(0, 1_002, 1_003), [0, 0, 0]],
  ['of a gap the last 200 can be recovered', ofOne(0, 301, ...range(101, 301)), [300, 200, 0]],
  ['and none before', ofOne(0, 301, 100), [300, 0, 1]],
  [
    'of two gaps 200 together, the earlier first',
    ofOne(0, 151, 302, ...range(1, 151), ...range(252, 302)),
    [300, 200, 0],
  ],
  ['and none before those', ofOne(0, 151, 302, 251), [300, 0, 1]],
  ['what is recovered makes room', ofOne(0, 201, 1, 203, 202), [201, 2, 0]],
])('%s', async (_name, sent, expected) => {
  expect(await counted(sent)).toEqual(expected);
});

test('20,000 views are watched, and the one that was quiet for longest is forgotten', async () => {
  const others = range(0, 19_999).map((view) => [`view ${view}`, 0] as const);
  expect(await counted([...ofOne(0), ...others, ['one', 2]])).toEqual([1, 0, 0]);
  expect(await counted([...ofOne(0), ...others, ['last', 0], ['one', 2]])).toEqual([0, 0, 0]);
  const stirred = [...ofOne(0), ...others, ...ofOne(1), ['last', 0], ['one', 3]] as const;
  expect(await counted(stirred)).toEqual([1, 0, 0]);
});
