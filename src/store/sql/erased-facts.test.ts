import { expect, test } from 'vitest';
import type { CurrentErasures, ErasureTarget } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { allKept, erasedState, findErased, keptBy } from './verdicts.ts';

const target: ErasureTarget = {
  ...{ accountId: 1, kind: 'playback', viewer: '', views: [], packageId: 0, videoId: 0 },
  untilMs: 5_999,
};

const erasing = (other: Partial<CurrentErasures>): CurrentVerdicts => ({
  ...{ accepted: [], epochs: new Map([[1, 7]]) },
  erasures: { open: [], keptSince: new Map(), accounts: new Set(), ...other },
});
const open = [1, 2].map((accountId) => ({
  ...{ ...target, accountId, receipt: 'r', state: 'summing' as const },
}));
const first = `(accountId = {erased0Account:UInt32} AND slot < toDateTime({erased0Until:UInt32}, 'UTC'))`;

test('what is being erased of an account', () => {
  expect(findErased({ accepted: [], epochs: new Map() }, 1)).toBeUndefined();
  expect(findErased(erasing({ open }), 3)).toBeUndefined();
  expect(findErased(erasing({ open }), 2)).toEqual({
    sql: first,
    parameters: { erased0Account: 2, erased0Until: 5 },
  });
});

test('what changes with everything that is erased of an account', () => {
  const keptSince = new Map([[1, 9]]);
  expect(erasedState({ accepted: [], epochs: new Map() }, 1)).toBe('0 0');
  expect(erasedState(erasing({}), 1)).toBe('7 0');
  expect(erasedState(erasing({ keptSince }), 1)).toBe('7 9');
  expect(erasedState(erasing({ keptSince }), 2)).toBe('0 0');
});

test('what sums are still made of', () => {
  expect(keptBy({ accepted: [], epochs: new Map() })).toBe(allKept);
  expect(keptBy(erasing({}))).toEqual(allKept);
  const parameters = {
    ...{ erased0Account: 1, erased0Until: 5, erased1Account: 2, erased1Until: 5 },
  };
  const ofOpen = ` AND NOT (${first} OR ${first.replaceAll('0', '1')})`;
  expect(keptBy(erasing({ open }))).toEqual({ ofFacts: ofOpen, ofSums: '', parameters });
  const ofSums = ` AND slot >= toDateTime(
          transform(accountId, {keptAccountsPart0:Array(UInt32)}, {keptSincePart0:Array(UInt32)}, toUInt32(0)), 'UTC')`;
  const keptSince = new Map([[1, 9_999]]);
  expect(keptBy(erasing({ open, keptSince }))).toEqual({
    ofFacts: ofOpen + ofSums,
    ofSums,
    parameters: { ...parameters, keptAccountsPart0: [1], keptSincePart0: [9] },
  });
});
