import type { Draft, Refusal, Sender, Step } from '../draft.ts';

/** How long ago a stretch may have begun, if its sender has no key. */
export const oldestMs = 48 * 60 * 60 * 1_000;
/** How far a sender's clock may be ahead. */
export const aheadMs = 5 * 60 * 1_000;
/** The facts' times begin with 1970; a day later every zone's clock shows 1970 too. */
const firstMs = Date.UTC(1970, 0, 2);

export const checkTime: Step = {
  name: 'check time',
  // What may take time back is made of events that were all in time.
  run: (draft, { sender, nowMs }) =>
    draft.retold === undefined
      ? (refuseTime(draft, sender, nowMs) ?? refuseWait(draft, nowMs))
      : undefined,
};

function refuseWait({ atMs, quality }: Draft, nowMs: number): Refusal | undefined {
  const wait = quality?.wait;
  if (wait === undefined || atMs + wait.waitMs <= nowMs + aheadMs) return undefined;
  return { code: 'IN_FUTURE', detail: `waitMs: runs past ${latestText(nowMs)}` };
}

const latestText = (nowMs: number) =>
  `${new Date(nowMs + aheadMs).toISOString()}, 5 minutes from now`;

/** For wire forms that store events before there is a draft. */
export function refuseTime(
  { atMs, playMs }: { readonly atMs: number; readonly playMs: number },
  sender: Sender,
  nowMs: number,
): Refusal | undefined {
  const isKeyed = sender.accountId !== undefined;
  const earliest = isKeyed ? firstMs : nowMs - oldestMs;
  if (atMs < earliest) {
    const earliestText = `${new Date(earliest).toISOString()}${isKeyed ? '' : ', 48 hours ago'}`;
    return { code: 'TOO_OLD', detail: `at: must not be before ${earliestText}` };
  }
  const latest = nowMs + aheadMs;
  if (atMs > latest) {
    return { code: 'IN_FUTURE', detail: `at: must not be after ${latestText(nowMs)}` };
  }
  if (atMs + playMs > latest) {
    return { code: 'IN_FUTURE', detail: `playMs: runs past ${latestText(nowMs)}` };
  }
  return undefined;
}
