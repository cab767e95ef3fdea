import { expect, test } from 'vitest';
import type { Draft } from '../draft.ts';
import { refuseOtherBeginnings } from './beginning-step.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
const context = { sender: {}, nowMs: noon };

type Told = Partial<Draft> & Pick<Draft, 'atMs' | 'playMs'>;

const draftOf = (told: Told) =>
  ({
    ...{
      view: '00000000-0000-0000-0000-000000000001',
      stretch: 0,
      plays: 1,
      device: {},
      facts: [],
    },
    publication: { accountId: 1, packageId: 2, videoId: 3 },
    ...told,
  }) as unknown as Draft;

const refused = (told: readonly Told[]) => {
  const step = refuseOtherBeginnings();
  return told.map((one) => step.run(draftOf(one), context)?.code ?? 'accepted');
};

const first = { atMs: noon, playMs: 4_000 };

test.each<[string, Told[], string[]]>([
  ['the same again', [first, first], ['accepted', 'accepted']],
  ['longer', [first, { ...first, playMs: 90_000 }], ['accepted', 'accepted']],
  [
    'a minute later and a minute earlier, by a clock that was corrected',
    [first, { atMs: noon + minute, playMs: 0 }, { atMs: noon - minute, playMs: 0 }],
    ['accepted', 'accepted', 'accepted'],
  ],
  [
    'after all that is known of it',
    [first, { atMs: noon + minute + 1, playMs: 4_000 }],
    ['accepted', 'OTHER_BEGINNING'],
  ],
  [
    'before all that is known of it',
    [first, { atMs: noon - 5 * minute, playMs: 4 * minute }],
    ['accepted', 'OTHER_BEGINNING'],
  ],
  [
    'overlapping it, however far away it began: the store sees to it',
    [
      { atMs: noon, playMs: 10 * minute },
      { atMs: noon + 5 * minute, playMs: 4_000 },
    ],
    ['accepted', 'accepted'],
  ],
  [
    'after what the last of several beacons told',
    [first, { ...first, playMs: 20 * minute }, { atMs: noon + 15 * minute, playMs: 1 }],
    ['accepted', 'accepted', 'accepted'],
  ],
  [
    'another stretch',
    [first, { atMs: noon + 5 * minute, playMs: 1, stretch: 1 }],
    ['accepted', 'accepted'],
  ],
  [
    'another view',
    [first, { atMs: noon + 5 * minute, playMs: 1, view: '00000000-0000-0000-0000-000000000002' }],
    ['accepted', 'accepted'],
  ],
  [
    'of one token, under the numbers of the token',
    [
      { ...first, signed: { view: '00000000-0000-0000-0000-000000000009', stretch: 77 } },
      {
        ...{ atMs: noon + 5 * minute, playMs: 1 },
        signed: { view: '00000000-0000-0000-0000-000000000009', stretch: 78 },
      },
    ],
    ['accepted', 'accepted'],
  ],
  [
    'a day long, in 1970',
    [
      { atMs: 86_400_000, playMs: 86_400_000 },
      { atMs: 172_800_000, playMs: 0 },
    ],
    ['accepted', 'accepted'],
  ],
])('%s', (_, told, codes) => {
  expect(refused(told)).toEqual(codes);
});

test('the refusal names when the stretch began', () => {
  const step = refuseOtherBeginnings();
  step.run(draftOf({ ...first, stretch: 3 }), context);
  expect(step.run(draftOf({ atMs: noon + 5 * minute, playMs: 1, stretch: 3 }), context)).toEqual({
    code: 'OTHER_BEGINNING',
    detail: 'at: stretch 3 of the view began at 2026-11-20T12:00:00.000Z',
  });
});
