/** Unusual playback by the default settings: what is set apart, and that a school never is. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAbuseLimits } from '../../src/app/parts/collect-parts.ts';
import type { Sender } from '../../src/collect/draft.ts';
import { readConfig } from '../../src/config/config.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { seededRandom } from '../simulation/random.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type Collecting, startCollecting } from '../support/collecting.ts';

const minuteMs = 60_000;
const school: Sender = { network: '192.0.2.7', userAgent: '(SM-G991N; Android 14) App/1.2' };

let collecting: Collecting;
let videoKey: string;
beforeEach(async () => {
  collecting = await startCollecting({}, readAbuseLimits(readConfig({})));
  await publish(45 * minuteMs);
});
afterEach(() => collecting.stop());

/** A video, of which `send` reports playback from now on. */
async function publish(durationMs: number): Promise<void> {
  const { catalog } = collecting;
  const { accountId, folderId, packageId } = await addLibrary(catalog);
  const fields = { folderId, title: 'Lesson', durationMs };
  const { accessKey } = accepted(await catalog.videos.create(accountId, fields));
  const name = { accountId, packageId, accessKey };
  ({ videoKey } = accepted(await catalog.publications.publish(name)));
}

interface Sent {
  readonly view: string;
  readonly stretch: number;
  readonly atMs: number;
  readonly playMs: number;
}

async function send(beacons: readonly Sent[], sender = school): Promise<void> {
  for (let start = 0; start < beacons.length; start += 1_000) {
    const part = beacons
      .slice(start, start + 1_000)
      .map(({ atMs, ...beacon }) => ({ ...beacon, videoKey, at: new Date(atMs).toISOString() }));
    const answer = await collecting.collector.collect(part, sender);
    expect(answer).toEqual({ accepted: part.length, rejected: [] });
  }
}

const facts = () => collecting.facts.written.flat();
const apart = () => facts().filter(({ suspect }) => suspect !== '');

async function ledger(): Promise<Record<string, number>> {
  await collecting.accountLedger.write();
  const rows = collecting.ledgerRows.written.flat();
  return Object.fromEntries(rows.map(({ outcome, beacons }) => [outcome, beacons]));
}

test('a class of 200 behind one address: begins in a minute, reloads twice, stays usual', async () => {
  const { clock } = collecting;
  const random = seededRandom(1);
  const pupils = Array.from({ length: 200 }, (_, pupil) => ({
    pupil,
    loadsAtMs: [0, 1, 2].map(() => clock.now() + random.below(minuteMs)).sort((a, b) => a - b),
    // A fifth of them has no network until the lesson is over.
    isOffline: pupil % 5 === 0,
  }));
  const endMs = clock.now() + 46 * minuteMs;
  const kept: Sent[] = [];
  for (; clock.now() < endMs; clock.advance(10_000)) {
    const now = clock.now();
    const beacons = pupils.flatMap(({ pupil, loadsAtMs, isOffline }) => {
      const load = loadsAtMs.findLastIndex((atMs) => atMs <= now);
      if (load === -1) return [];
      const view = `${pupil}-${load}`;
      const atMs = loadsAtMs[load] as number;
      const beacon = { view, stretch: 0, atMs, playMs: Math.min(now - atMs, 45 * minuteMs) };
      if (isOffline) kept.push(beacon);
      return isOffline ? [] : [beacon];
    });
    await send(beacons);
  }
  await send(kept);
  const views = new Set(facts().map(({ view }) => view));
  expect(views.size).toBeGreaterThan(500);
  expect(apart()).toEqual([]);
  expect(Object.keys(await ledger())).toEqual(['COUNTED']);
});

test('every pupil of a class plays for a day without a network, and reports at once', async () => {
  const { clock } = collecting;
  await publish(60 * minuteMs);
  const startMs = clock.now();
  clock.advance(24 * 60 * minuteMs);
  for (let pupil = 0; pupil < 200; pupil += 1) {
    const hours = Array.from({ length: 24 }, (_, hour) => ({
      ...{ view: `${pupil}-${Math.floor(hour / 8)}`, stretch: hour % 8 },
      ...{ atMs: startMs + hour * 60 * minuteMs, playMs: 60 * minuteMs },
    }));
    await send(hours);
  }
  expect(facts().reduce((sum, { playMs }) => sum + playMs, 0)).toBe(200 * 24 * 60 * minuteMs);
  expect(apart()).toEqual([]);
});

test('a thousand views in one request: as many count as the address may begin at once', async () => {
  const atMs = collecting.clock.now();
  const flood = Array.from({ length: 1_000 }, (_, number) => ({
    ...{ view: `v${number}`, stretch: 0, atMs, playMs: 1_000 },
  }));
  await send(flood);
  const day = new Date(atMs).toISOString().slice(0, 10);
  const plays = (isApart: boolean) =>
    facts().filter(({ plays, suspect }) => plays === 1 && (suspect !== '') === isApart).length;
  expect([plays(false), plays(true)]).toEqual([600, 400]);
  const suspects = new Set(apart().map(({ suspect }) => suspect));
  expect([...suspects]).toEqual([expect.stringMatching(`^ADDRESS:${day}:[0-9a-f]{16}$`)]);
  expect(await ledger()).toEqual({ COUNTED: 600, SUSPECT_ADDRESS: 400 });
  // The same beacons again change nothing but the ledger.
  const before = new Set(facts().map((fact) => JSON.stringify(fact)));
  await send(flood);
  expect(new Set(facts().map((fact) => JSON.stringify(fact)))).toEqual(before);
  expect(await ledger()).toEqual({ COUNTED: 1_200, SUSPECT_ADDRESS: 800 });
  // From elsewhere all is usual.
  const others = flood.slice(0, 600).map((beacon) => ({ ...beacon, view: `other ${beacon.view}` }));
  await send(others, { ...school, network: '2001:db8:0:1' });
  expect(await ledger()).toEqual({ COUNTED: 1_800, SUSPECT_ADDRESS: 800 });
  expect(await metric('playmeter_beacons_set_apart_total')).toBe(800);
  expect(await metric('playmeter_beacons_counted_total')).toBe(1_800);
  expect(await metric('playmeter_beacons_received_total')).toBe(2_600);
});

test('one view of overlapping stretches: beyond ten lengths of the film and a day it is set apart', async () => {
  const { clock } = collecting;
  const atMs = clock.now();
  clock.advance(24 * 60 * minuteMs);
  const stretches = Array.from({ length: 1_000 }, (_, stretch) => ({
    ...{ view: 'v', stretch, atMs, playMs: 15 * minuteMs },
  }));
  await send(stretches);
  const playMs = (isApart: boolean) =>
    facts()
      .filter(({ suspect }) => (suspect !== '') === isApart)
      .reduce((sum, fact) => sum + fact.playMs, 0);
  expect([playMs(false), playMs(true)]).toEqual([1_890 * minuteMs, (15_000 - 1_890) * minuteMs]);
  expect(await ledger()).toEqual({ COUNTED: 126, SUSPECT_LENGTH: 874 });
});

test('what could not be stored uses nothing up when it is sent again', async () => {
  const atMs = collecting.clock.now();
  const flood = Array.from({ length: 600 }, (_, number) => ({
    ...{ view: `v${number}`, stretch: 0, atMs, playMs: 1_000 },
  }));
  collecting.facts.notReady('away');
  await expect(send(flood)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  collecting.facts.notReady(undefined);
  await send(flood);
  expect(await ledger()).toEqual({ COUNTED: 600, UNAVAILABLE: 600 });
});

async function metric(name: string): Promise<number> {
  const values = (await collecting.metrics.getSingleMetric(name)?.get())?.values ?? [];
  return values.reduce((sum, { value }) => sum + value, 0);
}
