import { expect, test } from 'vitest';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import {
  filterAccepted,
  isEpochRisen,
  judgedAnew,
  noVerdictSource,
  noVerdicts,
  parametersOfEpochs,
  parametersOfSuspects,
  rememberVerdicts,
} from './verdicts.ts';

const named = (accountId: number, suspect: string): SuspectName => ({ accountId, suspect });
const accepting = (...accepted: SuspectName[]): CurrentVerdicts => ({
  accepted,
  epochs: new Map(),
});
const [one, other, same] = [named(1, 'A'), named(1, 'B'), named(2, 'A')];

test.each([
  ['nothing', noVerdicts, noVerdicts, []],
  ['nothing new', accepting(one, other), accepting(other, one), []],
  ['accepted', accepting(one), accepting(one, same), [same]],
  ['refused', accepting(one, same), accepting(same), [one]],
  ['both', accepting(one), accepting(other), [other, one]],
])('suspects that were judged anew: %s', (_, before, after, expected) => {
  expect(judgedAnew(before, after)).toEqual(expected);
});

test('a suspect is one of one account', () => {
  expect(filterAccepted(accepting(one), [one, other, same])).toEqual([one]);
  expect(filterAccepted(accepting(one), [])).toEqual([]);
});

test('suspects are bound as two lists, in one order', () => {
  const bound = { suspectAccounts: [1, 2], suspects: ['B', 'A'] };
  expect(parametersOfSuspects([other, same])).toEqual(bound);
});

type Epochs = [accountId: number, epoch: number][];
test.each<[string, Epochs, Epochs, boolean]>([
  [
    'of an account',
    [
      [1, 1],
      [2, 5],
    ],
    [
      [1, 1],
      [2, 6],
    ],
    true,
  ],
  [
    'of an account that had none',
    [[1, 1]],
    [
      [1, 1],
      [2, 1],
    ],
    true,
  ],
  [
    'of none',
    [[1, 1]],
    [
      [1, 1],
      [2, 0],
    ],
    false,
  ],
  [
    'of none, some are older',
    [
      [1, 1],
      [2, 5],
    ],
    [
      [1, 1],
      [2, 4],
    ],
    false,
  ],
])('the epoch has risen %s', (_, before, after, expected) => {
  const earlier = { accepted: [], epochs: new Map(before) };
  const later = { accepted: [], epochs: new Map(after) };
  expect(isEpochRisen(earlier, later)).toBe(expected);
  expect(isEpochRisen(later, later)).toBe(false);
});

test('where nobody judges no suspect is accepted, and no epoch rises', async () => {
  expect(await noVerdictSource.current()).toEqual({ accepted: [], epochs: new Map() });
});

test('what was read last is remembered', async () => {
  const remembered = rememberVerdicts({ current: async () => accepting(one) });
  expect(remembered.last()).toBeUndefined();
  expect(await remembered.current()).toEqual(accepting(one));
  expect(remembered.last()).toEqual(accepting(one));
});

test('only epochs that have risen are bound', () => {
  const epochs = new Map([
    [1, 0],
    [2, 7],
  ]);
  const bound = { epochAccounts: [2], epochs: [7] };
  expect(parametersOfEpochs({ accepted: [], epochs })).toEqual(bound);
});
