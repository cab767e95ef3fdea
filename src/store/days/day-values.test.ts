import { expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { createValueReader } from './day-values.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
const day = Date.UTC(2025, 11, 31);

const made = useNewStore();

test('the values of many days, each with those of its own slots, as long as it is ready', async () => {
  const fact = (at: number, osVersion: string, page = '', label10 = '') => ({
    ...{ accountId: 1, slotStart: day + at, packageId: 1, videoId: 11, os: 'iOS', osVersion },
    ...{ view: '00000000-0000-0000-0000-000000000001', stretch: 0, suspect: '', plays: 1 },
    ...{
      playMs: 1,
      details: { startMs: 0, laterMs: 0, mediaMs: 0, attributes: { page, label10 } },
    },
  });
  const days = Array.from({ length: 41 }, (_, number) => number);
  await made().write([
    ...days.map((number) => fact(number * dayMs, String(number), 'same')),
    fact(dayMs - slotMs, 'last', 'other', 'own'),
    fact(-slotMs, 'before'),
  ]);
  let reads = 0;
  const { valuesOf } = createValueReader(made().store, () => {
    reads += 1;
    if (reads > 5) throw new Error('not ready, as the test said');
  });
  const asked = days.map((number) => ({ accountId: 1, day: day + number * dayMs }));
  const found = await valuesOf([...asked, { accountId: 2, day }]);
  expect(reads).toBe(3);
  expect(await valuesOf(asked.slice(0, 20))).toHaveLength(20);
  expect(await valuesOf([])).toEqual([]);
  expect(reads).toBe(4);
  const versions = found.map((one) => [
    (one.day - day) / dayMs,
    one.values.osVersion.toSorted(),
    one.values.page.toSorted(),
    one.values.label10,
    one.values.browserVersion,
  ]);
  expect(versions.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
    days.map((number) =>
      number === 0
        ? [0, ['iOS\n0', 'iOS\nlast'], ['other', 'same'], ['own'], []]
        : [number, [`iOS\n${number}`], ['same'], [], []],
    ),
  );
  await expect(valuesOf(asked)).rejects.toThrow('as the test said');
});
