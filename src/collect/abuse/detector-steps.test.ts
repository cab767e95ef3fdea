import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { wideLimits } from '../../../test/support/wide-bounds.ts';
import type { BeaconDraft } from '../draft.ts';
import { createAbuseDetector } from './abuse-detector.ts';
import { refuseOtherBeginnings } from './detector-steps.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
const context = { sender: {}, nowMs: noon };

type Told = Partial<BeaconDraft> & Pick<BeaconDraft, 'atMs' | 'playMs'>;

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
    beacon: {},
  }) as unknown as BeaconDraft;

/** The steps, of a process of its own. */
function judging() {
  const logger = pino({ level: 'silent' });
  const parts = { limits: wideLimits, secret: 'secret', clock: manualClock(), logger };
  const detector = createAbuseDetector(parts);
  const step = refuseOtherBeginnings(detector);
  return (told: Told) => {
    const draft = draftOf(told);
    const refusal = step.run(draft, context);
    if (!refusal) detector.judge(draft, context);
    return refusal;
  };
}

const refused = (told: readonly Told[]) => {
  const judge = judging();
  return told.map((one) => judge(one)?.code ?? 'accepted');
};

const first = { atMs: noon, playMs: 4_000 };

test.each<[string, Told[], string[]]>([
  ['the same again', [first, first], ['accepted', 'accepted']],
  ['longer', [first, { ...first, playMs: 90_000 }], ['accepted', 'accepted']],
  [
    'a minute later, by a clock that was corrected',
    [first, { atMs: noon + minute, playMs: 0 }],
    ['accepted', 'accepted'],
  ],
  ['a minute earlier', [first, { atMs: noon - minute, playMs: 0 }], ['accepted', 'accepted']],
  [
    'after all that is known of it',
    [first, { atMs: noon + minute + 16_384, playMs: 4_000 }],
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

test('the refusal names the stretch', () => {
  const judge = judging();
  judge({ ...first, stretch: 3 });
  expect(judge({ atMs: noon + 5 * minute, playMs: 1, stretch: 3 })).toEqual({
    code: 'OTHER_BEGINNING',
    detail: 'at: the view has another stretch 3, which began at another time',
  });
});

test('no beginning within six days that is another one passes, and none that is the same is refused', () => {
  const judge = judging();
  fc.assert(
    fc.property(
      fc.record({ atMs: fc.integer({ min: 0, max: 2 ** 41 }), playMs: fc.nat(86_400_000) }),
      fc.integer({ min: -250_000_000, max: 250_000_000 }),
      fc.nat(86_400_000),
      fc.uuid(),
      (known, laterMs, playMs, view) => {
        const told = { atMs: known.atMs + laterMs, playMs };
        fc.pre(told.atMs >= 0);
        const gapMs = laterMs > 0 ? laterMs - known.playMs : -laterMs - playMs;
        const isApart = gapMs > 0 && Math.abs(laterMs) > minute;
        // Beginnings are remembered by the eight seconds that they lie in.
        fc.pre(!isApart || (gapMs > 16_384 && Math.abs(laterMs) > minute + 16_384));
        judge({ ...known, view });
        expect(judge({ ...told, view })?.code).toBe(isApart ? 'OTHER_BEGINNING' : undefined);
      },
    ),
  );
});
