import type { Refusal, Sender, Step } from './draft.ts';

/** How long ago a stretch may have begun that a sender without a key tells of. */
export const oldestMs = 48 * 60 * 60 * 1_000;
/** How far a sender's clock may be ahead. */
export const aheadMs = 5 * 60 * 1_000;
/** The facts' times begin with 1970; a day later every zone's clock shows 1970 too. */
const firstMs = Date.UTC(1970, 0, 2);

export const checkTime: Step = {
  name: 'check time',
  run: (draft, { sender, nowMs }) => refuseTime(draft, sender, nowMs),
};

/** For ways that keep something of what is sent before there is a draft. */
export function refuseTime(
  { atMs, playMs }: { readonly atMs: number; readonly playMs: number },
  sender: Sender,
  nowMs: number,
): Refusal | undefined {
  const earliest = sender.accountId === undefined ? nowMs - oldestMs : firstMs;
  if (atMs < earliest) {
    return { code: 'TOO_OLD', detail: `at: before ${new Date(earliest).toISOString()}` };
  }
  const latest = nowMs + aheadMs;
  if (atMs > latest) {
    return { code: 'IN_FUTURE', detail: `at: after ${new Date(latest).toISOString()}` };
  }
  if (atMs + playMs > latest) {
    return { code: 'IN_FUTURE', detail: 'playMs: more time than has passed since at' };
  }
  return undefined;
}
