import { expect, test } from 'vitest';
import { requireKept } from './question-facts.ts';

const since = Date.UTC(2024, 9, 1);
const facts = { keptSince: async () => since };
const hourMs = 3_600_000;
const orSums = 'or for plays and playMs by video, folder, package, os, osVersion and time alone';

test.each([
  ['UTC', 0, '2024-10-01'],
  ['Asia/Seoul', 15, '2024-10-02'],
  ['Europe/London', 23, '2024-10-02'],
  ['Africa/Abidjan', 0, '2024-10-01'],
  ['America/New_York', 4, '2024-10-01'],
])(
  'in %s, what begins %i hours later is the first day to ask from',
  async (timeZone, hours, day) => {
    const begins = since + hours * hourMs;
    await requireKept(facts, { accountId: 7, timeZone, fromMs: begins });
    await expect(
      requireKept(facts, { accountId: 7, timeZone, fromMs: begins - 24 * hourMs }),
    ).rejects.toMatchObject({
      errors: [
        {
          parameter: 'sdate',
          detail: `single views before 2024-10-01 (UTC) were erased: ask from ${day} (${timeZone}) on, ${orSums}`,
        },
      ],
    });
  },
);

test('of a comparison, the range compared with is said to begin too early', async () => {
  const compared = { comparedFrom: '2024-09-30', timeZone: 'Asia/Seoul', fromMs: since - hourMs };
  await expect(requireKept(facts, { accountId: 7, ...compared })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
    errors: [
      {
        parameter: 'compare',
        detail:
          'is with a range from 2024-09-30, which begins before what is kept: single views before ' +
          '2024-10-01 (UTC) were erased. Ask without it, or so that this range begins on ' +
          `2024-10-02 (Asia/Seoul) or later, ${orSums}`,
      },
    ],
  });
});
