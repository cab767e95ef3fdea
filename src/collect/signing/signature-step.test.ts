import { expect, test } from 'vitest';
import type { Publication } from '../../catalog/catalog.ts';
import { type SigningMode, signingModes } from '../../vocabulary/view-token.ts';
import type { Draft, Sender } from '../draft.ts';
import { checkSigning } from './signature-step.ts';
import type { CheckedToken, SignedView } from './view-tokens.ts';

const nowMs = Date.UTC(2026, 10, 20, 23, 59, 59, 999);
const [secondMs, hourMs, dayMs] = [1_000, 3_600_000, 86_400_000];
const view: SignedView = {
  ...{ view: 'signed view', viewer: 'viewer', fromMs: nowMs - 2 * hourMs, untilMs: nowMs - hourMs },
};
const good: CheckedToken = { ok: true, value: view };
const bad: CheckedToken = { ok: false, reason: 'token: of another video' };

function check(signing: SigningMode, change: Partial<Draft>, sender: Sender = {}) {
  const publication: Publication = {
    ...{ accountId: 1, packageId: 17, videoId: 3, videoKey: 'film', allowedOrigins: [], signing },
    ...{ durationMs: 0, takesUnsealed: false, viewers: 'anonymous' },
  };
  const draft: Draft = {
    ...{ view: 'v', stretch: 0, atMs: nowMs - 90 * 60_000, playMs: 0, plays: 1, device: {} },
    ...{ facts: [], publication },
    ...change,
  };
  const refusal = checkSigning.run(draft, { sender, nowMs });
  return { refusal, suspect: draft.suspect, signed: draft.signed };
}

const signed = { view: 'signed view', stretch: expect.any(Number) };
const counted = { refusal: undefined, suspect: undefined, signed: undefined };
const apart = { ...counted, suspect: 'UNSIGNED:2026-11-20:17' };
const refused = (detail: string) => ({ ...counted, refusal: { code: 'UNSIGNED', detail } });

test.each(signingModes)('%s: a valid token gives the view its name', (mode) => {
  expect(check(mode, { token: good })).toEqual({ ...counted, signed });
});

test('stretches of the views under a token get numbers of their own, of 32 bits', () => {
  const numbers = ['v 0', 'v 1', 'w 0'].map((name) => {
    const [view = '', stretch] = name.split(' ');
    return check('open', { token: good, view, stretch: Number(stretch) }).signed?.stretch ?? -1;
  });
  expect(new Set(numbers).size).toBe(3);
  expect(numbers.every((number) => number >= 0 && number < 2 ** 32)).toBe(true);
});

test.each<[SigningMode, CheckedToken | undefined, object]>([
  ['open', undefined, counted],
  ['open', bad, counted],
  ['prefer', undefined, apart],
  ['prefer', bad, apart],
  ['require', undefined, refused('token: is missing')],
  ['require', bad, refused('token: of another video')],
])('%s, and the token is %j', (mode, token, expected) => {
  expect(check(mode, { token })).toEqual(expected);
  // The account's own server reports with its key.
  expect(check(mode, { token }, { accountId: 1 })).toEqual(counted);
});

test.each<[string, number, 0 | 1, string | undefined]>([
  ['a play a minute before the token was made', view.fromMs - 60 * secondMs, 1, undefined],
  ['a moment sooner', view.fromMs - 60 * secondMs - 1, 1, 'was made after this was played'],
  ['time a moment sooner', view.fromMs - 60 * secondMs - 1, 0, 'was made after this was played'],
  ['a play a minute after it expired', view.untilMs + 60 * secondMs, 1, undefined],
  ['a moment later', view.untilMs + 60 * secondMs + 1, 1, 'has expired'],
  ['time a moment later: the view goes on', view.untilMs + 60 * secondMs + 1, 0, undefined],
  ['time a day later', view.untilMs + 60 * secondMs + dayMs, 0, undefined],
  ['time later than that', view.untilMs + 60 * secondMs + dayMs + 1, 0, 'has expired'],
])('%s', (_name, atMs, plays, fault) => {
  expect(check('require', { token: good, atMs, plays })).toEqual(
    fault === undefined ? { ...counted, signed } : refused(`token: ${fault}`),
  );
});

test('a token of the future is of a wrong clock', () => {
  const tokenOf = (fromMs: number): CheckedToken => ({
    ok: true,
    value: { ...view, fromMs, untilMs: fromMs + hourMs },
  });
  const at = (aheadMs: number) => ({ token: tokenOf(nowMs + aheadMs), atMs: nowMs + aheadMs });
  expect(check('require', at(60_000))).toMatchObject({ refusal: undefined });
  expect(check('require', at(60_001))).toEqual(refused('token: iat is in the future'));
});
