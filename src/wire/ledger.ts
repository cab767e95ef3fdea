/** GET /manage/v1/ledger: what became of every beacon. */
import Type, { type Static } from 'typebox';
import { type RefusalReason, refusalReasons } from './beacon.ts';

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });
const beacons = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const LedgerRequest = Type.Object({
  sdate: day('First day in UTC, yyyy-mm-dd', '2026-11-01'),
  edate: day('Last day in UTC, yyyy-mm-dd', '2026-11-30'),
});

const reasons = Object.entries(refusalReasons) as [RefusalReason, string][];

export const LedgerDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Day in UTC on which they arrived' }),
    received: beacons('The sum of all below'),
    counted: beacons('Beacons that were accepted, each as often as it was sent'),
    refused: Type.Object(
      Object.fromEntries(reasons.map(([reason, title]) => [reason, beacons(title)])),
      { additionalProperties: false, description: 'By reason' },
    ),
  },
  { title: 'LedgerDay', additionalProperties: false },
);
export type LedgerDay = Static<typeof LedgerDay>;

export const Ledger = Type.Object(
  { list: Type.Array(LedgerDay, { description: 'The days with beacons, in their order' }) },
  { title: 'Ledger', additionalProperties: false },
);
