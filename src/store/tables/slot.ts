/** A slot is a quarter of an hour in UTC: every time zone's hours and days are made of slots. */
export const slotMs = 15 * 60 * 1_000;
