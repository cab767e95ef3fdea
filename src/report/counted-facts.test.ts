import { expect, test } from 'vitest';
import { beginningsOf, factColumns, factsWithin } from './counted-facts.ts';

const cut = [{ fromMs: 900_000, untilMs: 930_000 }];
const others = factColumns.filter((name) => !['plays', 'playMs', 'laterMs'].includes(name));

test.each([
  [true, ', least(claimedMs, leftMs) AS countedMs', ', countedMs AS claimedMs'],
  [false, '', ''],
])('of slots that are cut only the beginning counts; with what counts: %j', (isCounted, ...sql) => {
  const [countedLeft, counted] = sql;
  expect(
    beginningsOf('FACTS', cut, isCounted),
  ).toBe(`SELECT ${others.join(', ')}, if(beganMs < cutMs, allPlays, 0) AS plays, leftMs AS playMs,
  toUInt32(beyondMs + allMs - leftMs) AS laterMs${countedLeft}
FROM (
SELECT ${others.join(', ')}, plays AS allPlays, playMs AS allMs, laterMs AS beyondMs${counted},
  toInt64(greatest(startMs, toUnixTimestamp(slot) * 1000)) AS beganMs,
  transform(toUnixTimestamp(slot), {cutSlotsPart0:Array(UInt32)}, {cutInstantsPart0:Array(UInt64)}, toUInt64(4611686018427387904)) AS cutMs,
  toUInt32(least(toInt64(playMs), greatest(toInt64(cutMs) - beganMs, 0))) AS leftMs
FROM (
FACTS
)
)`);
  expect(beginningsOf('FACTS', [], isCounted)).toBe('FACTS');
});

test.each([
  ['merged where several parts have facts of a slot', { mergesAll: false }, {}, ['', ' FINAL']],
  ['all merged', { mergesAll: true }, { mayRepeat: true }, [' FINAL']],
  ['not merged where facts may repeat', { mergesAll: false }, { mayRepeat: true }, ['']],
  [
    'grouped, once of all suspects',
    { mergesAll: false, accepted: ['x'] },
    { mayRepeat: true },
    [''],
  ],
])('facts are %s', (_, source, read, final) => {
  const spans = [{ fromMs: 0, untilMs: 900_000 }];
  const sql = factsWithin({ accountId: 7, spans, accepted: [], ...source }, read);
  const from = [...sql.matchAll(/label10 FROM stretch( FINAL)?\s+WHERE/g)];
  expect(from.map(([, merged = '']) => merged)).toEqual(final);
  expect(sql.includes('GROUP BY slot, packageId')).toBe('accepted' in source);
});
