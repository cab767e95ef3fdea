/** The way of CMCD events in this process alone: what counts, what is refused, and what fails. */
import { expect, test } from 'vitest';
import {
  collectingEvents,
  type EventCollecting,
  publishFilm,
} from '../../../../test/support/collecting-events.ts';
import type { ManualClock } from '../../../../test/support/manual-clock.ts';
import { type Film, useFilm } from '../../../../test/support/use-film.ts';
import { addSecret, claimsFor, tokenOf } from '../../../../test/support/view-token.ts';
import { wideLimits } from '../../../../test/support/wide-bounds.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { Fault } from '../../../vocabulary/faults.ts';
import type { Room } from '../../spool/admission.ts';
import { type CmcdCollector, createCmcdCollector } from './cmcd-collector.ts';

const startMs = Date.UTC(2026, 10, 20, 12, 10);
const hourMs = 3_600_000;

let catalog: Catalog;
let clock: ManualClock;
let film: Film;
let collecting: EventCollecting;
let watched: [view: string, sequence: number][];
let cmcd: CmcdCollector;

useFilm({ startMs }, (scene) => {
  ({ catalog, clock, film } = scene);
  begin(scene.collecting);
});

function begin(using: EventCollecting, publications = catalog.publications): void {
  collecting = using;
  watched = [];
  cmcd = createCmcdCollector({
    ...collecting.parts,
    publications,
    watchSequence: (view, sequence) => watched.push([view, sequence]),
  });
}

const line = (sn: number, sta: string, afterMs: number, sid = 'one') =>
  `e=ps,sid="${sid}",sn=${sn},sta=${sta},ts=${startMs + afterMs},v=2`;
const session = [line(0, 's', -9_000), line(1, 'p', -8_000), line(2, 'a', -3_000)];
/** What the piece that begins so long after the start counts. */
const timeFrom = (afterMs: number) =>
  Math.max(
    ...collecting.facts.written
      .flat()
      .filter(({ stretch }) => stretch === (startMs + afterMs) % 2 ** 32)
      .map(({ playMs }) => playMs),
  );
const collect = (lines: readonly string[], sender = {}, key = film.videoKey) =>
  cmcd.collect(key, lines, sender);

test('a view is its play and its time, once, however often it is sent', async () => {
  const agent = { userAgent: '(SM-G991N; Android 14) App/1.2' };
  for (const lines of [session, session, session.slice(1)]) {
    expect(await collect(lines, agent)).toEqual({ accepted: lines.length, rejected: [] });
  }
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 5_000 });
  const { accountId, packageId, videoId } = film;
  const what = { accountId, packageId, videoId, os: 'Android', osVersion: '14' };
  for (const fact of collecting.facts.written.flat()) expect(fact).toMatchObject(what);
  expect(await collecting.counts()).toEqual({ received: 8, counted: 8 });
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 8 });
  expect(watched.map(([, sequence]) => sequence)).toEqual([0, 1, 2, 0, 1, 2, 1, 2]);
  expect(new Set(watched.map(([view]) => view)).size).toBe(1);
});

test('a stranger who knows the session reports a share of its own, and its player counts on', async () => {
  const player = { network: '192.0.2.7' };
  const stranger = { network: '198.51.100.9' };
  await collect([line(0, 's', -9_000), line(1, 'p', -8_000)], player);
  const madeUp = Array.from({ length: 21_000 }, (_, at) => line(1_000_000 + at, 'p', at - 60_000));
  const flood = async () => {
    for (let at = 0; at < madeUp.length; at += 1_000) {
      await collect(madeUp.slice(at, at + 1_000), stranger);
    }
    return collecting.outcomes(film.accountId);
  };
  expect(await flood()).toEqual({ COUNTED: 3_602, TOO_MANY_EVENTS: 17_400 });
  expect(await flood()).toEqual({ COUNTED: 7_202, TOO_MANY_EVENTS: 34_800 });
  const logged = () => collecting.events.written.flat().length;
  const before = logged();
  const { rejected } = await collect([line(2, 'a', -3_000)], player);
  expect(rejected).toEqual([]);
  expect(logged()).toBeGreaterThan(before);
  expect(timeFrom(-8_000)).toBe(5_000);
});

test('one session in two videos is two views', async () => {
  const other = await publishFilm(catalog);
  await collect(session);
  await collect(session, {}, other.videoKey);
  expect(collecting.totals()).toEqual({ plays: 2, playMs: 10_000 });
});

test('each line that is refused is named by its place and its reason; the others count', async () => {
  const tooOld = line(3, 'p', -48 * hourMs - 1);
  const inFuture = line(4, 'p', 300_001);
  const answer = await collect(['"', ...session, tooOld, inFuture]);
  expect(answer.accepted).toBe(3);
  expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
    [0, 'INVALID_BEACON'],
    [4, 'TOO_OLD'],
    [5, 'IN_FUTURE'],
  ]);
  const refused = { INVALID_BEACON: 1, TOO_OLD: 1, IN_FUTURE: 1 };
  expect(await collecting.counts()).toEqual({ received: 6, counted: 3, ...refused });
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 3, ...refused });
  expect(watched).toHaveLength(3);
});

test('what lies at the border of the times is taken', async () => {
  const lines = [line(3, 'p', -48 * hourMs), line(4, 'p', 300_000)];
  expect(await collect(lines)).toEqual({ accepted: 2, rejected: [] });
});

test.each([
  ['a bot', { userAgent: 'Googlebot/2.1' }, [], ['BOT']],
  ['a foreign page', { origin: 'https://b.example' }, ['https://a.example'], ['ORIGIN']],
  [
    'a bot on a foreign page',
    { origin: 'https://b.example', userAgent: 'Googlebot/2.1' },
    ['https://a.example'],
    ['ORIGIN'],
  ],
  ['a page that is allowed', { origin: 'https://a.example' }, ['https://a.example'], []],
])('from %s', async (_name, sender, origins, codes) => {
  film = await publishFilm(catalog, origins);
  const { rejected } = await collect(session.slice(0, 1), sender);
  expect(rejected.map(({ code }) => code)).toEqual(codes);
});

test('a piece that began too long ago is left out, though its last event is taken', async () => {
  expect(await collect([line(0, 'p', -48 * hourMs)])).toMatchObject({ accepted: 1 });
  const { plays } = collecting.totals();
  clock.advance(10_000);
  expect(await collect([line(1, 'a', -48 * hourMs + 20_000)])).toMatchObject({ accepted: 1 });
  expect(collecting.totals()).toEqual({ plays, playMs: 0 });
});

test('no such video: each event is refused as of an unknown one', async () => {
  await expect(collect(session, {}, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await collecting.counts()).toEqual({ received: 3, UNKNOWN_VIDEO: 3 });
  expect(collecting.events.attempts()).toBe(0);
});

test('a video taken out of its package: each event is refused as of a retired one', async () => {
  await catalog.publications.retire(film);
  await expect(collect(session)).rejects.toMatchObject({ code: 'GONE' });
  expect(await collecting.counts()).toEqual({ received: 3, RETIRED_VIDEO: 3 });
});

test.each([
  ['is away', new Fault('UNAVAILABLE', 'away')],
  ['fails', new Error('unheard of')],
])('a catalog that %s: nothing is promised', async (_name, fault) => {
  begin(collecting, { ...catalog.publications, identify: () => Promise.reject(fault) });
  await expect(collect(session)).rejects.toBe(fault);
  expect(await collecting.counts()).toEqual({ received: 3, unavailable: 3 });
});

test.each(['events', 'facts'] as const)(
  '%s that cannot be written: nothing is promised, and sent again all counts',
  async (store) => {
    collecting[store].failNext(1);
    await expect(collect(['"', ...session])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await collecting.counts()).toEqual({ received: 4, unavailable: 3, INVALID_BEACON: 1 });
    expect(await collecting.outcomes(film.accountId)).toEqual({ UNAVAILABLE: 3 });
    expect(watched).toEqual([]);
    await collect(session);
    expect(collecting.totals()).toEqual({ plays: 1, playMs: 5_000 });
  },
);

test('a play that cannot be noted: nothing is promised, and each event has one outcome', async () => {
  const { eventSpool } = collecting.parts;
  let notes = 0;
  const { collect: collectOnce } = createCmcdCollector({
    ...collecting.parts,
    eventSpool: {
      ...eventSpool,
      async add(events, outcomes) {
        // Two agree upon the play before there are facts.
        if (events.some(({ state }) => state === 'counted')) notes += 1;
        if (notes === 3) throw new Fault('UNAVAILABLE', 'full');
        await eventSpool.add(events, outcomes);
      },
    },
    watchSequence: () => {},
  });
  await expect(collectOnce(film.videoKey, session, {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await collecting.parts.spool.stop();
  expect(await collecting.outcomes(film.accountId)).toEqual({ UNAVAILABLE: 3 });
});

test('an event has the outcome of its own view, whether that counts or is set apart', async () => {
  const usual = { ...wideLimits, ADDRESS: { views: 1, players: 0, rows: 0 } };
  begin(collectingEvents(catalog, clock, {}, usual));
  const views = ['a', 'b', 'c', 'd'].flatMap((sid) => [
    line(0, 'p', -8_000, sid),
    line(1, 'a', -3_000, sid),
  ]);
  expect(await cmcd.collect(film.videoKey, views, { network: '192.0.2.7' })).toMatchObject({
    accepted: 8,
  });
  const outcomes = { COUNTED: 6, SUSPECT_ADDRESS: 2 };
  expect(await collecting.outcomes(film.accountId)).toEqual(outcomes);
});

test('a play that counts is noted in the event log, and is not looked for again', async () => {
  await collect(session);
  const notes = () => collecting.events.written.flat().filter(({ state }) => state === 'counted');
  const { accountId } = film;
  expect(notes()).toContainEqual(
    expect.objectContaining({ accountId, momentMs: startMs - 8_000, sequence: 0 }),
  );
  const { length } = notes();
  await collect(session);
  expect(notes()).toHaveLength(length);
});

function beginWithLittleRoom(): void {
  const crowdedFacts = { small: 1, large: 1 };
  const waitForRoomMs = { small: 0, large: 0 };
  begin(collectingEvents(catalog, clock, { crowdedFacts, waitForRoomMs }));
}

test('room is taken for events and for facts, and given back together', async () => {
  beginWithLittleRoom();
  const { spool, eventSpool } = collecting.parts;
  const room = await cmcd.requireRoom(1);
  for (const each of [spool, eventSpool]) {
    await expect(each.requireRoom(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  room.leave();
  for (const each of [spool, eventSpool]) (await each.requireRoom(1)).leave();
});

test('where there is no room for facts, that for events is given back', async () => {
  beginWithLittleRoom();
  const { spool, eventSpool } = collecting.parts;
  const room = await spool.requireRoom(1);
  await expect(cmcd.requireRoom(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  (await eventSpool.requireRoom(1)).leave();
  room.leave();
  (await cmcd.requireRoom(1)).leave();
});

test('that a body has arrived is reported to both', async () => {
  const { spool, eventSpool } = collecting.parts;
  const arrived: string[] = [];
  const telling = (name: string, requireRoom: (most: number) => Promise<Room> | Room) => ({
    async requireRoom(most: number): Promise<Room> {
      const room = await requireRoom(most);
      return {
        ...room,
        arrived() {
          arrived.push(name);
          return room.arrived();
        },
      };
    },
  });
  const { requireRoom } = createCmcdCollector({
    ...collecting.parts,
    spool: { ...spool, ...telling('facts', spool.requireRoom) },
    eventSpool: { ...eventSpool, ...telling('events', eventSpool.requireRoom) },
    watchSequence: () => {},
  });
  const room = await requireRoom(1);
  await room.arrived();
  room.leave();
  expect(arrived).toEqual(['events', 'facts']);
});

test('the token of a request is that of its events: several sessions make one play', async () => {
  const { accountId, packageId, videoKey } = film;
  accepted(await catalog.packages.change(accountId, packageId, { signing: 'require' }));
  const secret = await addSecret(catalog.signingKeys, accountId);
  const token = tokenOf(claimsFor(videoKey, startMs), secret);
  const refusals = async (lines: readonly string[], sender = {}) =>
    (await collect(lines, sender)).rejected.map(({ index, code }) => [index, code]);
  expect(await refusals([line(0, 'p', 0)])).toEqual([[0, 'UNSIGNED']]);
  // A minute before it was made, it may still be the clocks.
  const tooEarly = line(0, 's', -60_001, 'early');
  expect(await refusals([tooEarly, ...session], { token })).toEqual([[0, 'UNSIGNED']]);
  const other = [line(0, 'p', -2_000, 'other'), line(1, 'a', -1_000, 'other')];
  expect(await refusals(other, { token })).toEqual([]);
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 6_000 });
});
