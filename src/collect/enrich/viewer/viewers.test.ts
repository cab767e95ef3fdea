import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import type { Publication, SaltDay } from '../../../catalog/catalog.ts';
import { dayMs } from '../../../lib/time/utc-day.ts';
import { Fault } from '../../../vocabulary/faults.ts';
import { type ViewerMode, viewerOfTold } from '../../../vocabulary/viewers.ts';
import type { Device, Draft } from '../../draft.ts';
import { createViewers } from './viewers.ts';

const hourMs = 3_600_000;
const noonMs = Date.UTC(2026, 10, 20, 12);
const device: Device = { address: '203.0.113.9', userAgent: 'Browser' };
const secret = 'a secret of the service';

/** Days of UTC, with salts that are kept for as long as those of a catalog. */
function setUp() {
  const clock = manualClock(noonMs);
  const made = new Map<string, Uint8Array>();
  let reads = 0;
  const salts = {
    async dayOf(accountId: number, atMs: number): Promise<SaltDay> {
      reads += 1;
      const fromMs = Math.floor(atMs / dayMs) * dayMs;
      const name = `${accountId} ${fromMs}`;
      const salt = made.get(name) ?? randomBytes(32);
      made.set(name, salt);
      const isOver = clock.now() >= fromMs + dayMs + 46 * hourMs;
      return { fromMs, untilMs: fromMs + dayMs, salt: isOver ? undefined : salt };
    },
  };
  const create = (ofSecret = secret) => createViewers({ salts, secret: ofSecret, clock });
  return { clock, create, viewers: create(), reads: () => reads };
}

interface Reported extends Partial<Pick<Draft, 'atMs' | 'device' | 'viewer' | 'reportedViewer'>> {
  readonly accountId?: number;
  readonly mode?: ViewerMode;
}

function draftOf({ accountId = 1, mode = 'anonymous', ...reported }: Reported) {
  const publication: Publication = {
    ...{ accountId, packageId: 2, videoId: 3, videoKey: 'film', allowedOrigins: [] },
    ...{ durationMs: 0, takesUnsealed: false, signing: 'open', viewers: mode },
  };
  const draft: Draft = {
    ...{ view: 'v', stretch: 0, playMs: 1_000, plays: 1, atMs: noonMs, device, facts: [] },
    ...{ publication, ...reported },
  };
  return { ...draft, publication };
}

async function numberOf(viewers: ReturnType<typeof createViewers>, reported: Reported = {}) {
  const draft = draftOf(reported);
  await viewers.prepare([draft]);
  return viewers.viewerOf(draft);
}

const kindOf = (viewer: string | undefined) =>
  viewer === undefined ? 'none' : ['?', 'daily', 'named', 'refused'][Number(BigInt(viewer) >> 62n)];

test.each([
  ['anonymous', {}, 'daily'],
  ['anonymous', { reportedViewer: 'a' }, 'named'],
  ['anonymous', { viewer: 'a' }, 'named'],
  ['daily', {}, 'daily'],
  ['daily', { reportedViewer: 'a', viewer: 'b' }, 'daily'],
  ['named', {}, 'none'],
  ['named', { reportedViewer: 'a' }, 'named'],
  ['none', {}, 'none'],
  ['none', { reportedViewer: 'a', viewer: 'b' }, 'none'],
  ['anonymous', { device: { userAgent: 'Browser' } }, 'none'],
  ['anonymous', { device: { userAgent: 'Browser', address: '' } }, 'none'],
  ['anonymous', { device: { address: '203.0.113.9' } }, 'daily'],
  ['anonymous', { device: { ...device, wantsNoTracking: true } }, 'refused'],
  ['anonymous', { device: { ...device, wantsNoTracking: true }, reportedViewer: 'a' }, 'refused'],
  ['named', { device: { ...device, wantsNoTracking: true }, viewer: 'a' }, 'refused'],
] as const)('in mode %s, %j is %s', async (mode, reported, kind) => {
  expect(kindOf(await numberOf(setUp().viewers, { ...reported, mode }))).toBe(kind);
});

test('a name is one viewer of its account: at any time, from anywhere, in every process', async () => {
  const { viewers, create, clock } = setUp();
  const first = await numberOf(viewers, { reportedViewer: 'ann' });
  clock.advance(100 * dayMs);
  const elsewhere = { atMs: clock.now(), device: { address: '2001:db8::1' } };
  expect(await numberOf(create(), { reportedViewer: 'ann', ...elsewhere })).toBe(first);
  const signed = await numberOf(viewers, { viewer: 'ann', reportedViewer: 'bob', ...elsewhere });
  expect(BigInt(signed ?? 0)).toBeGreaterThan(BigInt(first ?? 0));
  expect(viewerOfTold(signed ?? '')).toBe(first);
  const others = [
    await numberOf(viewers, { reportedViewer: 'bob' }),
    await numberOf(viewers, { reportedViewer: 'ann', accountId: 2 }),
    await numberOf(create('another secret of a service'), { reportedViewer: 'ann' }),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
  // The same forever, or viewers would count twice on the day of an upgrade.
  expect(first).toMatchInlineSnapshot(`"9410369703661851859"`);
});

test('an anonymous viewer is one network and one User-Agent on one day of one account', async () => {
  const { viewers } = setUp();
  const first = await numberOf(viewers);
  expect(await numberOf(viewers, { atMs: noonMs - 12 * hourMs })).toBe(first);
  const neighbour = { ...device, address: '::ffff:203.0.113.200' };
  expect(await numberOf(viewers, { device: neighbour })).toBe(first);
  const others = [
    await numberOf(viewers, { atMs: noonMs - 12 * hourMs - 1 }),
    await numberOf(viewers, { accountId: 2 }),
    await numberOf(viewers, { device: { ...device, address: '203.0.114.9' } }),
    await numberOf(viewers, { device: { ...device, userAgent: 'Another' } }),
    await numberOf(viewers, { reportedViewer: '203.0.113 Browser' }),
  ];
  expect(new Set([first, ...others]).size).toBe(6);
});

test('nobody is named so as to be an anonymous viewer', async () => {
  const { viewers } = setUp();
  const anonymous = await numberOf(viewers);
  const fromMs = Math.floor(noonMs / dayMs) * dayMs;
  const reportedViewer = `${fromMs} ${device.address} ${device.userAgent}`;
  expect(kindOf(await numberOf(viewers, { reportedViewer }))).toBe('named');
  expect(await numberOf(viewers)).toBe(anonymous);
});

test('the same reports have the same viewers in any order, also across midnight', async () => {
  const { clock, create } = setUp();
  const reported = fc.record({
    atMs: fc.integer({ min: -30, max: 0 }).map((hours) => noonMs + hours * hourMs),
    accountId: fc.integer({ min: 1, max: 3 }),
    reportedViewer: fc.constantFrom(undefined, 'ann', 'bob'),
    device: fc.constantFrom(device, { ...device, address: '2001:db8::1' }),
  });
  const sends = fc.array(fc.tuple(reported, fc.nat(3 * 24)), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sends, async (sent) => {
      const seen = new Map<string, Set<string>>();
      // Two processes; a report may come again hours later, at the other.
      const nodes = [create(), create()];
      for (const [report, laterHours] of sent) {
        for (const [index, afterHours] of [0, laterHours].entries()) {
          clock.set(noonMs + afterHours * hourMs);
          const viewer = await numberOf(nodes[index % 2] as (typeof nodes)[0], report);
          const name = JSON.stringify(report);
          seen.set(name, (seen.get(name) ?? new Set()).add(viewer ?? 'none'));
        }
      }
      // None at all once the salt is gone: of two reports the larger counts.
      for (const numbers of seen.values()) {
        numbers.delete('none');
        expect(numbers.size).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 15 },
  );
});

test('who was seen on the day is known without asking the catalog, until the salt is gone', async () => {
  const { viewers, clock, reads } = setUp();
  await numberOf(viewers);
  expect(viewers.prepare([draftOf({}), draftOf({ reportedViewer: 'ann' })])).toBeUndefined();
  expect(reads()).toBe(1);
  clock.set(Date.UTC(2026, 10, 21) + 46 * hourMs);
  expect(await numberOf(viewers)).toBeUndefined();
  expect(await viewers.purge()).toBe(0);
  expect(await numberOf(viewers)).toBeUndefined();
  // Whatever is older is not asked for, however much of it is imported.
  const before = reads();
  expect(viewers.prepare([draftOf({ atMs: noonMs - 30 * dayMs })])).toBeUndefined();
  expect(await numberOf(viewers, { atMs: noonMs - 30 * dayMs })).toBeUndefined();
  expect(reads()).toBe(before);
});

test('what was known of a day goes with its salt: a clock set back brings no number back', async () => {
  const clock = manualClock(noonMs);
  const fromMs = Math.floor(noonMs / dayMs) * dayMs;
  let salt: Uint8Array = randomBytes(32);
  const salts = { dayOf: async () => ({ fromMs, untilMs: fromMs + dayMs, salt }) };
  const viewers = createViewers({ salts, secret, clock });
  const first = await numberOf(viewers);
  clock.set(fromMs + dayMs + 46 * hourMs);
  await viewers.purge();
  // Destroyed in the catalog too, which then makes another.
  salt = randomBytes(32);
  clock.set(noonMs);
  expect(kindOf(await numberOf(viewers))).toBe('daily');
  expect(await numberOf(viewers)).not.toBe(first);
});

test('modes without anonymous viewers make no salts', () => {
  const { viewers, reads } = setUp();
  const drafts = [draftOf({ mode: 'named' }), draftOf({ mode: 'none' })];
  expect([viewers.prepare(drafts), reads()]).toEqual([undefined, 0]);
});

test('without the catalog nothing is taken for another viewer: the sender sends again', async () => {
  let isAway = true;
  const day = { fromMs: 0, untilMs: noonMs + hourMs, salt: randomBytes(32) };
  const salts = {
    async dayOf() {
      if (isAway) throw new Fault('UNAVAILABLE', 'away');
      return day;
    },
  };
  const viewers = createViewers({ salts, secret, clock: manualClock(noonMs) });
  await expect(numberOf(viewers)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  isAway = false;
  expect(kindOf(await numberOf(viewers))).toBe('daily');
});
