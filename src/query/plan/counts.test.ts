import { expect, test } from 'vitest';
import { countryAttribution } from '../../vocabulary/country-source.ts';
import { csvLine, writeRows } from '../present/csv-text.ts';
import { linesOfNotes, notesBeside } from '../run/answer-notes.ts';
import { measured, noCounts } from './counts.ts';

test.each([
  ['plays', { plays: 3 }, 3],
  ['averagePlayMs', { plays: 3, playMs: 10 }, 3],
  ['averagePlayMs', { plays: 2, playMs: 5 }, 3],
  ['averagePlayMs', { playMs: 5 }, null],
  ['averageSeen', { seenMs: 2, lengthMs: 3 }, 0.6667],
  ['averageSeen', { seenMs: 2 }, null],
  ['exitShare', {}, null],
  ['exitShare', { exitsBeforeStart: 1, attempts: 3 }, 0.3333],
  ['startupP95', {}, null],
  ['startupP95', { startupP95: 0, starts: 1 }, 0],
  ['stallsPerHour', { stalls: 2 }, null],
  ['stallsPerHour', { stalls: 2, qualityPlayMs: 5_400_000 }, 1.3333],
  ['seekMs', { allSeekMs: 3, seeks: 2 }, 2],
  ['bitrate', { mediaBits: 2_850_500, bitsMediaMs: 1_000 }, 2_851],
  ['bitrate', {}, null],
] as const)('%s of %j is %j', (name, counts, expected) => {
  expect(measured(name, { ...noCounts, ...counts })).toBe(expected);
});

test('beside rows without their answer: what viewers and quality rest on, and who made the countries', () => {
  const source = { description: 'a database', attribution: countryAttribution.text };
  const viewerBasis = { named: 1, daily: 2, none: 3 };
  const qualityBasis = { attempts: 4, views: 9 };
  const bases = { viewerBasis, qualityBasis };
  const all = notesBeside(bases, { dimensions: ['os', 'country'] }, source);
  expect(all).toEqual({ ...bases, attribution: countryAttribution.text });
  expect(linesOfNotes(all)).toEqual([
    expect.stringContaining('1 by a name from the page'),
    'Quality rests on 4 attempts that were reported, beside 9 views in the range',
    countryAttribution.text,
  ]);
  expect(linesOfNotes(notesBeside({}, { dimensions: ['os'] }, source))).toEqual([]);
});

test.each([
  [['a', 1, -1, 0.5, null, undefined], 'a,1,-1,0.5,,'],
  [['a,b', 'a"b', 'a\nb', 'a\rb', "a'b"], '"a,b","a""b","a\nb","a\rb",a\'b'],
  [['=1', '+1', '-1', '@a', '\ta', '\ra'], `"'=1","'+1","'-1","'@a","'\ta","'\ra"`],
  [['a=1', 'a-1'], 'a=1,a-1'],
])('%j as a line', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});

test('rows are written in portions, after their heads', () => {
  const rows = Array.from({ length: 501 }, (_, row) => row);
  const [head, first = '', second, ...others] = writeRows(['a', 'b'], rows, (row) => [row, 'x']);
  expect([head, second, others]).toEqual(['a,b\r\n', '500,x\r\n', []]);
  expect(first.split('\r\n')).toHaveLength(501);
  expect(first).toMatch(/^0,x\r\n1,x\r\n/);
});
