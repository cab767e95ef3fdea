/** Decisions in a real catalog, and what the sums learn of them. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { addLibrary } from '../../../test/support/catalogs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import type { SuspectName } from '../../vocabulary/suspects.ts';
import { createSuspects, keepSettled, type Suspects } from './quarantine.ts';

const dayMs = 86_400_000;
const [address, video] = ['ADDRESS:2026-11-20:0123456789abcdef', 'VIDEO:2026-11-20:3'];

let catalog: Catalog;
let accountId: number;
beforeAll(async () => {
  catalog = await openCatalogAlone();
});
afterAll(() => catalog.close());

/** Of the store: what it was asked, and which suspects it has; it may fail. */
let summed: SuspectName[];
let ranges: object[];
let isAway: boolean;
let suspects: Suspects;
beforeEach(async () => {
  ({ accountId } = await addLibrary(catalog));
  [summed, ranges, isAway] = [[], [], false];
  const sums = { fromMs: 0, untilMs: 1, views: 1, videos: 1, plays: 1, playMs: 9 };
  suspects = createSuspects({
    async list(range) {
      ranges.push(range);
      return [address, 'of another release', video].map((suspect) => ({ ...sums, suspect }));
    },
    has: async ({ suspect }) => suspect !== 'VIDEO:2026-11-20:4',
    namesSince: async () => [],
    async sumAgain({ accountId: account, suspect }) {
      if (isAway) throw new Error('away');
      summed.push({ accountId: account, suspect });
    },
  });
});

const decide = (suspect: string, verdict: 'accepted' | 'refused' = 'accepted') =>
  suspects.decide(catalog, { accountId, suspect }, verdict);
const unsummed = async () => (await catalog.verdicts.unsummed()).map(({ suspect }) => suspect);

test('suspects of days are listed with what was decided about them', async () => {
  const decision = accepted(await decide(video));
  const list = await suspects.list(catalog, {
    ...{ accountId, firstDay: '2026-11-19', lastDay: '2026-11-20' },
  });
  expect(list).toEqual([
    expect.objectContaining({ suspect: address, reason: 'ADDRESS', decision: undefined }),
    expect.objectContaining({ suspect: video, reason: 'VIDEO', playMs: 9, decision }),
  ]);
  const fromMs = Date.UTC(2026, 10, 19);
  expect(ranges).toEqual([{ accountId, fromMs, untilMs: fromMs + 2 * dayMs }]);
});

test('where there are no suspects nobody asks for decisions', async () => {
  const none = createSuspects({
    ...{ list: async () => [], has: async () => true, namesSince: async () => [] },
    sumAgain: async () => {},
  });
  const verdicts = { list: () => expect.unreachable() } as unknown as Catalog['verdicts'];
  const days = { accountId, firstDay: '2026-11-19', lastDay: '2026-11-20' };
  expect(await none.list({ verdicts }, days)).toEqual([]);
});

test('the sums follow a decision before it is answered', async () => {
  const decided = accepted(await decide(address, 'refused'));
  expect(decided).toMatchObject({ suspect: address, verdict: 'refused' });
  expect(summed).toEqual([{ accountId, suspect: address }]);
  expect(await unsummed()).toEqual([]);
});

test('about what was never set apart, or of no account, nothing is decided', async () => {
  expect(await decide('VIDEO:2026-11-20:4')).toEqual({ ok: false, reason: { code: 'NO_SUSPECT' } });
  const ofNone = await suspects.decide(catalog, { accountId: 999, suspect: video }, 'accepted');
  expect(ofNone.ok).toBe(false);
  expect(summed).toEqual([]);
  expect(await catalog.verdicts.list(accountId)).toEqual([]);
});

test('what the sums do not follow yet is settled later, once', async () => {
  isAway = true;
  await expect(decide(address)).rejects.toThrow('away');
  expect(await unsummed()).toEqual([address]);
  await expect(suspects.settle(catalog)).rejects.toThrow('away');
  isAway = false;
  await suspects.settle(catalog);
  expect(summed).toEqual([{ accountId, suspect: address }]);
  expect(await unsummed()).toEqual([]);
  const verdicts = { unsummed: async () => [], noteSummed: () => expect.unreachable() };
  await suspects.settle({ verdicts: verdicts as unknown as Catalog['verdicts'] });
});

/** Lets what was begun come to its end. */
const turn = () => new Promise(setImmediate);

test('settling goes on every five seconds, whatever fails, until it is stopped', async () => {
  const clock = manualClock();
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  let settled = 0;
  const settle = async () => {
    settled += 1;
    if (settled === 1) throw new Error('away');
  };
  const stop = keepSettled({ suspects: { settle }, clock, logger, verdicts: catalog.verdicts });
  clock.advance(0);
  await turn();
  expect([settled, lines.length]).toEqual([1, 1]);
  expect(lines[0]).toContain('away');
  clock.advance(4_999);
  await turn();
  expect(settled).toBe(1);
  clock.advance(1);
  await turn();
  expect([settled, lines.length]).toEqual([2, 1]);
  // Also when it is due again.
  clock.advance(5_000);
  stop();
  await turn();
  expect([settled, clock.waiting()]).toEqual([2, 0]);
  const again = keepSettled({ suspects: { settle }, clock, logger, verdicts: catalog.verdicts });
  again();
  expect(clock.waiting()).toBe(0);
});
