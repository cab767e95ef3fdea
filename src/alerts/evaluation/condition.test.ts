import { expect, test } from 'vitest';
import type { AlertTerms, DropTerms, ThresholdTerms } from '../../wire/management/alerts.ts';
import { type Figures, holds } from './condition.ts';

const of = { measure: 'plays', per: 'day', filters: null } as const;
const above = (limit: number): ThresholdTerms => {
  return { kind: 'threshold', ...of, above: limit, below: null };
};
const below = (limit: number): ThresholdTerms => {
  return { kind: 'threshold', ...of, above: null, below: limit };
};
const drop = (percent: number, atLeast = 0): DropTerms => {
  return { kind: 'drop', ...of, percent, weeks: 4, atLeast };
};
const silence: AlertTerms = { kind: 'silence', minutes: 30, filters: null };

test.each<[string, AlertTerms, Figures, boolean | undefined]>([
  ['above', above(100), { value: 101 }, true],
  ['at the limit', above(100), { value: 100 }, false],
  ['above a fraction', above(0.5), { value: 0.5001 }, true],
  ['above nothing', above(0), { value: 1 }, true],
  ['below', below(100), { value: 99 }, true],
  ['at the lower limit', below(100), { value: 100 }, false],
  ['nothing below nothing', below(0), { value: 0 }, false],
  ['nothing to divide by', below(100), { value: null }, undefined],
  ['half', drop(50), { value: 50, before: [100] }, true],
  ['just more than half', drop(50), { value: 51, before: [100] }, false],
  ['a tenth less', drop(10), { value: 90, before: [100] }, true],
  ['of an average', drop(50), { value: 100, before: [100, 300] }, true],
  ['more than an average', drop(50), { value: 101, before: [100, 300] }, false],
  ['all of it', drop(100), { value: 0, before: [3] }, true],
  ['almost all of it', drop(100), { value: 1, before: [300] }, false],
  ['where nothing was', drop(50), { value: 0, before: [0, 0] }, false],
  ['where little was', drop(50, 10), { value: 0, before: [9] }, false],
  ['where enough was', drop(50, 10), { value: 0, before: [10] }, true],
  ['a week that does not tell', drop(50), { value: 5, before: [null, 10] }, true],
  ['no week that tells', drop(50), { value: 5, before: [null] }, undefined],
  ['a value that does not tell', drop(50), { value: null, before: [10] }, undefined],
  ['no playback', silence, { isPlaying: false }, true],
  ['playback', silence, { isPlaying: true }, false],
  ['neither known', silence, {}, undefined],
])('%s', (_, terms, figures, expected) => {
  expect(holds(terms, figures)).toBe(expected);
});
