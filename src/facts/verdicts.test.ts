import { expect, test } from 'vitest';
import type { CurrentVerdicts, SuspectName } from '../wire/suspects.ts';
import { acceptedOf, judgedAnew, noVerdicts, parametersOfEpochs } from './verdicts.ts';

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
  expect(acceptedOf(accepting(one), [one, other, same])).toEqual([one]);
});

test('only epochs that have risen are bound', () => {
  const epochs = new Map([
    [1, 0],
    [2, 7],
  ]);
  const bound = { epochAccounts: [2], epochs: [7] };
  expect(parametersOfEpochs({ accepted: [], epochs })).toEqual(bound);
});
