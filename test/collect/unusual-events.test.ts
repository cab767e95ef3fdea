/** Unusual playback of a player that reports ranges: the player log. */
import { expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createPlayerLog } from '../../src/collect/forms/player-log/player-log.ts';
import { createSessionSeal } from '../../src/collect/forms/player-log/session-seal.ts';
import { type EventCollecting, serviceSecret } from '../support/collecting-events.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { type Film, useFilm } from '../support/use-film.ts';
import { wideLimits } from '../support/wide-bounds.ts';

const startMs = Date.UTC(2026, 10, 20, 12, 10);
const here = { network: '192.0.2.7' };
/** Three new views at once. */
const limits = { ...wideLimits, ADDRESS: { views: 1, players: 0, rows: 0 } };

let catalog: Catalog;
let clock: ManualClock;
let film: Film;
let collecting: EventCollecting;
useFilm({ startMs, usual: limits }, (scene) => {
  ({ catalog, clock, film, collecting } = scene);
});

/** Plays and time, of what is usual and of what is set apart. */
function sums(isApart: boolean) {
  const facts = collecting.facts.written
    .flat()
    .filter(({ suspect }) => suspect.startsWith('ADDRESS:2026-11-20:') === isApart);
  const sum = (name: 'plays' | 'playMs') => facts.reduce((total, fact) => total + fact[name], 0);
  return [sum('plays'), sum('playMs')];
}

test('the player log: sessions beyond the bound of an address are set apart', async () => {
  const { accountId: gid, packageId: pid, videoId: vid } = film;
  await catalog.accounts.change(gid, { takesUnsealed: true });
  const seal = createSessionSeal(serviceSecret);
  const playerLog = createPlayerLog({ ...collecting.parts, seal });
  clock.advance(60_000);
  for (const event of [{ e: 'vs' }, { e: 'vi', dst: 0, det: 5 }]) {
    for (const uid of ['a', 'b', 'c', 'd', 'e']) {
      const data = { gid, pid, vid, uid, cs: '20261120121000', ...event };
      const result = await playerLog.collect(JSON.stringify(data), here);
      const value = uid > 'c' ? 'SUSPECT_ADDRESS' : 'COUNTED';
      expect(result).toEqual({ ok: true, value });
    }
  }
  expect([sums(false)[1], sums(true)[1]]).toEqual([15_000, 10_000]);
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 6, SUSPECT_ADDRESS: 4 });
});
