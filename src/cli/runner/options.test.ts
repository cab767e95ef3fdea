import { expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import { byOptions } from './options.ts';

const given = { from: 'sdate', package: 'packageId' };

test('the parameters that a fault names are named as the options that give them', () => {
  const cause = new Error('the store said so');
  const errors = [
    { parameter: 'sdate', detail: 'is no day' },
    { parameter: 'packageId/0', detail: 'is no number' },
    { parameter: 'other', detail: 'is unknown' },
  ];
  const named = byOptions(new Fault('INVALID_PARAMETER', 'wrong', { errors, cause }), given);
  expect(named).toMatchObject({ code: 'INVALID_PARAMETER', message: 'wrong', cause });
  expect((named as Fault).errors?.map(({ parameter }) => parameter)).toEqual([
    'from',
    'package',
    'other',
  ]);
});

test.each([new Error('ours'), new Fault('UNAVAILABLE', 'away', { cause: new Error('why') })])(
  'what names no parameter stays as it is: %s',
  (error) => {
    expect(byOptions(error, given)).toBe(error);
  },
);
