import { hash } from 'node:crypto';
import type { Publication } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { accept, refuse } from '../../lib/result.ts';
import { toUtcDay } from '../../lib/time/utc-day.ts';
import { createSuspectId } from '../../vocabulary/suspects.ts';
import { goesOnMs, tokenToleranceMs } from '../../vocabulary/view-token.ts';
import type { Draft, Refusal, Sender, Step } from '../draft.ts';
import type { CheckedToken, SignedView } from './view-tokens.ts';

type Reported = Pick<Draft, 'atMs' | 'plays' | 'token'>;

/** Gives the view that its token names to what is signed; the package says what of the rest. */
export const checkSigning: Step = {
  name: 'check signing',
  run(draft, { sender, nowMs }) {
    const { publication } = draft;
    assert(publication, 'the video is known before its signing is checked');
    const token = tokenAt(draft, nowMs);
    if (token?.ok) {
      draft.signed = { view: token.value.view, stretch: signedNumber(draft) };
      draft.viewer = token.value.viewer;
    }
    const unsigned = refuseUnsigned(publication, token, sender);
    if (unsigned) return unsigned;
    if (publication.signing === 'prefer' && isUnsigned(token, sender)) {
      const day = toUtcDay(nowMs);
      const subject = String(publication.packageId);
      draft.suspect = createSuspectId({ reason: 'UNSIGNED', day, subject });
    }
    return undefined;
  },
};

/**
 * Several views may come under one token, such as a page that was loaded again. Each numbers its
 * stretches from 0; two that got one number would count as one: never too much.
 */
export function signedNumber({ view, stretch }: Pick<Draft, 'view' | 'stretch'>): number {
  return Number.parseInt(hash('sha256', `${view} ${stretch}`, 'hex').slice(0, 8), 16);
}

/** For wire forms that store events before there is a draft. */
export function refuseUnsigned(
  { signing }: Publication,
  token: CheckedToken | undefined,
  sender: Sender,
): Refusal | undefined {
  if (signing !== 'require' || !isUnsigned(token, sender)) return undefined;
  return { code: 'UNSIGNED', detail: token?.ok === false ? token.reason : 'token: is missing' };
}

/** With a key, the account itself reports. */
function isUnsigned(token: CheckedToken | undefined, { accountId }: Sender): boolean {
  return accountId === undefined && !token?.ok;
}

/**
 * What the token is worth for something that was played at this time. Not when it arrived: then a
 * beacon that comes again would have another fate than the first time.
 */
export function tokenAt({ atMs, plays, token }: Reported, nowMs: number): CheckedToken | undefined {
  return token?.ok ? viewAt(token.value, { atMs, plays }, nowMs) : token;
}

function viewAt(
  view: SignedView,
  { atMs, plays }: Pick<Reported, 'atMs' | 'plays'>,
  nowMs: number,
): CheckedToken {
  const { fromMs, untilMs } = view;
  if (fromMs > nowMs + tokenToleranceMs) return refuse('token: iat is in the future');
  if (atMs < fromMs - tokenToleranceMs) return refuse('token: was made after this was played');
  // The view goes on when its token has expired, but no other can begin.
  const lastMs = plays > 0 ? untilMs : untilMs + goesOnMs;
  return atMs > lastMs + tokenToleranceMs ? refuse('token: has expired') : accept(view);
}
