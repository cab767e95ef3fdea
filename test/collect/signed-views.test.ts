/** Beacons under tokens: real catalog, collector and spool, stores in memory. */
import { type KeyObject, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createCollector } from '../../src/collect/collector.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { SigningMode } from '../../src/vocabulary/view-token.ts';
import { collectingEvents, type EventCollecting } from '../support/collecting-events.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { type Film, useFilm } from '../support/use-film.ts';
import { addSecret, claimsFor, tokenOf } from '../support/view-token.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const [minuteMs, hourMs] = [60_000, 3_600_000];
let catalog: Catalog;
let clock: ManualClock;
let film: Film;
let secret: string;
let collecting: EventCollecting;

useFilm({ startMs }, async (scene) => {
  ({ catalog, clock, film, collecting } = scene);
  secret = await addSecret(catalog.signingKeys, film.accountId);
});

async function setMode(signing: SigningMode): Promise<void> {
  accepted(await catalog.packages.change(film.accountId, film.packageId, { signing }));
}

const tokenFor = (more: object = {}, key: string | KeyObject = secret) =>
  tokenOf({ ...claimsFor(film.videoKey, clock.now()), ...more }, key);

interface Played {
  readonly view?: string;
  readonly stretch?: number;
  readonly atMs?: number;
  readonly playMs?: number;
  readonly token?: string | undefined;
}

/** A beacon; its refusal, if it is refused. */
async function play(played: Played, sender: object = {}) {
  const { view = 'v', stretch = 0, atMs = clock.now(), playMs = 0, token } = played;
  const at = new Date(atMs).toISOString();
  const beacon = { view, stretch, at, playMs, videoKey: film.videoKey, ...(token && { token }) };
  const answer = await createCollector(collecting.parts).collect([beacon], sender);
  return answer.rejected[0];
}

/** What counts, as the sums will have it: by suspect. */
function totals() {
  const facts = collecting.facts.written.flat();
  const byIdentity = Map.groupBy(facts, ({ slotStart, view, stretch, suspect }) =>
    JSON.stringify([slotStart, view, stretch, suspect]),
  );
  const sums: Record<string, { plays: number; playMs: number; views: number }> = {};
  const seen = new Map<string, Set<string>>();
  for (const [fact, ...more] of byIdentity.values()) {
    if (!fact) continue;
    const { suspect, view } = fact;
    const views = seen.get(suspect) ?? new Set();
    seen.set(suspect, views.add(view));
    const { plays = 0, playMs = 0 } = sums[suspect] ?? {};
    const largest = (name: 'plays' | 'playMs') =>
      Math.max(...[fact, ...more].map((same) => same[name]));
    sums[suspect] = {
      plays: plays + largest('plays'),
      playMs: playMs + largest('playMs'),
      views: views.size,
    };
  }
  return sums;
}

test.each<SigningMode>(['open', 'prefer', 'require'])('%s: a signed view counts', async (mode) => {
  await setMode(mode);
  const token = tokenFor();
  expect(await play({ token, playMs: 5_000 })).toBeUndefined();
  expect(await play({ token, stretch: 1, playMs: 3_000 })).toBeUndefined();
  expect(totals()).toEqual({ '': { plays: 1, playMs: 8_000, views: 1 } });
});

test('require: what is not signed is refused, and said to be', async () => {
  await setMode('require');
  const cases: [string | undefined, string][] = [
    [undefined, 'token: is missing'],
    ['nonsense', 'token: not a signed token (JWS, compact form)'],
  ];
  for (const [token, detail] of cases) {
    expect(await play({ token })).toEqual({ index: 0, code: 'UNSIGNED', detail });
  }
  expect(totals()).toEqual({});
  expect(await collecting.outcomes(film.accountId)).toEqual({ UNSIGNED: cases.length });
});

test('prefer: what is not signed is kept apart, by day and package', async () => {
  await setMode('prefer');
  const suspect = `UNSIGNED:2026-11-20:${film.packageId}`;
  await play({ view: 'a', playMs: 1_000 });
  await play({ view: 'b', playMs: 2_000, token: tokenFor({ video: 'another' }) });
  await play({ view: 'c', playMs: 4_000, token: tokenFor() });
  expect(totals()).toEqual({
    [suspect]: { plays: 2, playMs: 3_000, views: 2 },
    '': { plays: 1, playMs: 4_000, views: 1 },
  });
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 1, SUSPECT_UNSIGNED: 2 });
});

test('whoever has the key of the account needs no token', async () => {
  await setMode('require');
  expect(await play({ token: 'nonsense' }, { accountId: film.accountId })).toBeUndefined();
  expect(totals()).toMatchObject({ '': { plays: 1 } });
});

test('a long film goes on when its token has expired, and no view begins', async () => {
  await setMode('require');
  const token = tokenFor({ exp: startMs / 1_000 + 60 });
  const atMs = clock.now();
  expect(await play({ token, atMs })).toBeUndefined();
  clock.advance(3 * hourMs);
  expect(await play({ token, atMs, playMs: 2 * hourMs })).toBeUndefined();
  expect(await play({ token, stretch: 1, playMs: 1 })).toBeUndefined();
  const again = await play({ token, view: 'w' });
  expect(again).toMatchObject({ code: 'UNSIGNED', detail: 'token: has expired' });
  expect(totals()).toEqual({ '': { plays: 1, playMs: 2 * hourMs + 1, views: 1 } });
});

test('any mix of retries, views, devices, tokens and times makes one play a token', async () => {
  const devices = [
    { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)' },
    { userAgent: '(SM-G991N; Android 14) App/1.2' },
  ];
  const sent = fc.record({
    token: fc.nat(2),
    view: fc.nat(1),
    device: fc.nat(1),
    minute: fc.integer({ min: -30, max: 0 }),
  });
  await setMode('require');
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 12 }), async (all) => {
      const round = randomUUID();
      collecting = collectingEvents(catalog, clock);
      const iat = (clock.now() - hourMs) / 1_000;
      const tokens = [0, 1, 2].map((number) =>
        tokenFor({ jti: `${round}-${number}`, iat, exp: iat + 7_200 }),
      );
      await Promise.all(
        [...all, ...all].map(({ token, view, device, minute }) => {
          const atMs = clock.now() + minute * minuteMs;
          return play({ view: `${view}`, atMs, token: tokens[token] }, devices[device]);
        }),
      );
      const used = new Set(all.map(({ token }) => token)).size;
      expect(totals()).toMatchObject({ '': { plays: used, views: used } });
    }),
    { numRuns: 8 },
  );
});
