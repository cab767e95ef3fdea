/** GET /manage/v1/ledger: what became of every beacon. */
import Type, { type Static } from 'typebox';
import { suspectReasons } from '../../vocabulary/suspects.ts';
import { refusalReasons } from './beacon.ts';

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });
const beacons = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const LedgerRequest = Type.Object({
  sdate: day('First day (UTC), yyyy-mm-dd', '2026-11-01'),
  edate: day('Last day (UTC), yyyy-mm-dd', '2026-11-30'),
});

const byReason = <Reason extends string>(
  reasons: Readonly<Record<Reason, string>>,
  description: string,
) => {
  const entries = Object.entries(reasons) as [Reason, string][];
  const members = entries.map(([reason, title]) => [reason, beacons(title)]);
  return Type.Object(Object.fromEntries(members), { additionalProperties: false, description });
};

/** Why a request with a key was answered with 429. */
export const limitReasons = {
  A_MINUTE: 'More requests a minute than one key may send',
  AT_ONCE: 'More statistics requests or imports at once than one account may have waiting',
  ENGINE_TIME: "More of the engine's time for statistics than one account may use a minute",
} as const;
export type LimitReason = keyof typeof limitReasons;

const FullDimension = Type.Object(
  {
    dimension: Type.String({
      description: 'Name of the dimension, as in questions',
      examples: ['page', 'label.course'],
    }),
    since: Type.String({
      format: 'date-time',
      description: 'Hour in which the first new value of the day counted as `Other`',
      examples: ['2026-11-20T13:00:00Z'],
    }),
    named: beacons('New values that took the places for such'),
    other: beacons('How often a new value counted as `Other`'),
  },
  { title: 'FullDimension', additionalProperties: false },
);

export const LedgerDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Day (UTC) on which the beacons arrived' }),
    received: beacons(
      'Beacons that arrived: the sum of `counted`, `erased`, `setApart` and `refused`',
    ),
    counted: beacons('Counted beacons, repeats included'),
    erased: beacons(
      'Accepted beacons that were left out, because their playback was erased before or is of ' +
        'days whose single facts are erased (`factsMonths`)',
    ),
    setApart: byReason(
      suspectReasons,
      'Beacons that count only if their suspect is accepted, by reason; including those of which ' +
        'only some time was set apart',
    ),
    refused: byReason(refusalReasons, 'Refused beacons, by reason'),
    unavailable: beacons(
      'Beacons that were read and answered with 503: their senders still have them, and send them ' +
        'again. They are not part of `received`',
    ),
    labelsLeftOut: beacons(
      'Labels that were left out of beacons: their names are not declared, their values are too ' +
        'long or have control characters, or the beacon had too many',
    ),
    limitedRequests: byReason(
      limitReasons,
      'Requests with a key that were answered with 429, by reason',
    ),
    fullDimensions: Type.Array(FullDimension, {
      description:
        'Dimensions of which a day (UTC) had no place left for a new value, or for more of one ' +
        'IP address. Values of the week before keep their places',
    }),
  },
  { title: 'LedgerDay', additionalProperties: false },
);
export type LedgerDay = Static<typeof LedgerDay>;

export const Ledger = Type.Object(
  { list: Type.Array(LedgerDay, { description: 'Days with beacons, in order' }) },
  { title: 'Ledger', additionalProperties: false },
);
