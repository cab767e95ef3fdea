import { expect, test } from 'vitest';
import { type Fact, openColumns } from '../../store/facts.ts';
import { outcomeOfFacts } from '../steps/outcome-metrics.ts';
import { openDimensions, takeLastPart } from './open-dimensions.ts';

const attributes = { browser: 'Chrome', browserVersion: '143', host: 'a.example', country: 'DE' };
const fact = {
  ...{ os: 'iOS', osVersion: '18', view: 'v', playMs: 1 },
  details: { startMs: 5, attributes },
} as unknown as Fact;
const bare = { os: 'iOS', osVersion: 'Unknown' } as Fact;

const dimension = (name: string) =>
  openDimensions.find(({ column }) => column === name) ?? expect.unreachable();

test('each column that strangers fill is a dimension, in its place', () => {
  expect(openDimensions.map(({ column }) => column)).toEqual(openColumns);
  expect(openDimensions.map(({ index }) => index)).toEqual(openColumns.map((_, index) => index));
  const versions = openDimensions.filter(({ isVersion }) => isVersion);
  expect(versions.map(({ column }) => column).sort()).toEqual(['browserVersion', 'osVersion']);
});

test.each([
  ['osVersion', 'iOS', '18'],
  ['browserVersion', 'Chrome', '143'],
])('the value of %s stands after what it is a version of', (name, of, version) => {
  const value = dimension(name).valueIn(fact) ?? '';
  expect(value.startsWith(of)).toBe(true);
  expect(value).not.toBe(of + version);
  expect(takeLastPart(value)).toBe(version);
  expect(takeLastPart('plain')).toBe('plain');
});

test('the value of a detail is itself', () => {
  expect(dimension('host').valueIn(fact)).toBe('a.example');
});

test.each(['', 'Unknown', 'Other', undefined])('%j takes no room', (value) => {
  const details = { attributes: { ...attributes, host: value, browserVersion: value } };
  const without = { ...fact, osVersion: value, details } as unknown as Fact;
  for (const name of ['osVersion', 'browserVersion', 'host']) {
    expect(dimension(name).valueIn(without)).toBeUndefined();
  }
});

test('what has no details has no values, and is left as it is', () => {
  for (const { valueIn } of openDimensions) expect(valueIn(bare)).toBeUndefined();
  expect(dimension('host').withOther(bare)).toBe(bare);
});

test('a value that is left out is another one, and nothing else changes', () => {
  expect(dimension('osVersion').withOther(fact)).toEqual({ ...fact, osVersion: 'Other' });
  for (const name of ['host', 'browserVersion'] as const) {
    expect(dimension(name).withOther(fact)).toEqual({
      ...fact,
      details: { startMs: 5, attributes: { ...attributes, [name]: 'Other' } },
    });
  }
});

test('facts of which any is set apart have its outcome', () => {
  const apart = { suspect: 'VIDEO:2026-11-20:3' };
  expect(outcomeOfFacts([{ suspect: '' }])).toBe('COUNTED');
  expect(outcomeOfFacts([{ suspect: '' }, apart])).toBe('SUSPECT_VIDEO');
  expect(outcomeOfFacts([])).toBe('COUNTED');
});
