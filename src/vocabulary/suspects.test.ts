import { expect, test } from 'vitest';
import { createSuspectId, readSuspectId, suspectReasonCodes } from './suspects.ts';

test.each(suspectReasonCodes)('an id is read as what it was written from: %s', (reason) => {
  for (const subject of ['17', String(2 ** 53 - 1), '9f3c1a0b2d4e5f60']) {
    const suspect = { reason, day: '2026-11-22', subject };
    expect(readSuspectId(createSuspectId(suspect))).toEqual(suspect);
    expect(createSuspectId(suspect).length).toBeLessThanOrEqual(64);
  }
});

test.each([
  '',
  'ADDRESS',
  'ADDRESS:2026-11-22',
  'ADDRESS:2026-11-22:',
  'OTHER:2026-11-22:17',
  'address:2026-11-22:17',
  'VIDEO:2026-11-2:17',
  'VIDEO:2026-11-22:17:1',
  'VIDEO:2026-11-22:1 7',
  'VIDEO:2026-11-22:17\n',
  `VIDEO:2026-11-22:${'1'.repeat(33)}`,
])('no id of a suspect: %j', (id) => {
  expect(readSuspectId(id)).toBeUndefined();
});
