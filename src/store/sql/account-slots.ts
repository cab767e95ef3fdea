/** Slots of accounts, as statements ask for them. */
export interface AccountSlot {
  readonly accountId: number;
  /** Start of the slot, milliseconds since the epoch. */
  readonly slotStart: number;
}

/** For tables with an account and a slot; with the parameters of `parametersOfSlots`. */
export const isOfSlots = `accountId IN {accounts:Array(UInt32)} AND (accountId, slot) IN (
          SELECT part.1, toDateTime(part.2, 'UTC') FROM (
            SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {slots:Array(UInt32)})) AS part))`;

export function parametersOfSlots(slots: readonly AccountSlot[]) {
  return {
    accounts: slots.map(({ accountId }) => accountId),
    slots: slots.map(({ slotStart }) => slotStart / 1_000),
  };
}
