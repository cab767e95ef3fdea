/** The way of a player log's events in this process alone. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type EventCollecting,
  publishFilm,
  serviceSecret,
} from '../../../../test/support/collecting-events.ts';
import type { ManualClock } from '../../../../test/support/manual-clock.ts';
import { type Film, useFilm } from '../../../../test/support/use-film.ts';
import { addSecret, claimsFor, tokenOf } from '../../../../test/support/view-token.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { createPlayerLog, type PlayerLog } from './player-log.ts';
import { createSessionSeal } from './session-seal.ts';

const startMs = Date.UTC(2026, 10, 20, 12, 10);
const hourMs = 3_600_000;
const noError = { errorCode: 'None', errorMessage: '' };

let catalog: Catalog;
let clock: ManualClock;
let film: Film;
let collecting: EventCollecting;
let playerLog: PlayerLog;

useFilm({ startMs }, async (scene) => {
  ({ catalog, clock, film, collecting } = scene);
  await catalog.accounts.change(film.accountId, { takesUnsealed: true });
  playerLog = createPlayerLog({ ...collecting.parts, seal: createSessionSeal(serviceSecret) });
});

function collect(event: object, sender = {}) {
  const { accountId: gid, packageId: pid, videoId: vid } = film;
  const ids = { gid, pid, vid, uid: 'viewer', cs: '20261120121000' };
  return playerLog.collect(JSON.stringify({ ...ids, ...event }), sender);
}
const refusal = (code: string) => ({ ok: false, reason: { code } });

test('a session is one play, at its start, and the time of its ranges', async () => {
  const agent = { userAgent: '(SM-G991N; Android 14) App/1.2' };
  for (const event of [{ e: 'vs' }, { e: 'vi', dst: 0, det: 5 }, { e: 'vp', dst: 5, det: 7 }]) {
    clock.advance(5_000);
    expect(await collect(event, agent)).toEqual({ ok: true, value: 'COUNTED' });
  }
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 7_000 });
  const { accountId, packageId, videoId } = film;
  const what = { accountId, packageId, videoId, os: 'Android', osVersion: '14' };
  for (const fact of collecting.facts.written.flat()) expect(fact).toMatchObject(what);
  expect(await collecting.counts()).toEqual({ received: 3, counted: 3 });
  expect(await collecting.outcomes(accountId)).toEqual({ COUNTED: 3 });
});

test('what shows no play counts as taken, and adds nothing', async () => {
  expect(await collect({ e: 'pl' })).toMatchObject({ ok: true });
  expect(collecting.totals()).toEqual({ plays: 0, playMs: 0 });
  expect(await collecting.outcomes(film.accountId)).toEqual({ COUNTED: 1 });
});

test.each<[string, object, string, boolean]>([
  ['an event that nobody knows', { e: 'xx' }, 'UNKNOWN_EVENT', true],
  ['a range without its end', { e: 'vi', dst: 0 }, 'INVALID_BEACON', true],
  ['no event', {}, 'INVALID_BEACON', false],
  ['more time than has passed', { e: 'vi', dst: 0, det: 301 }, 'IN_FUTURE', true],
  ['another video', { e: 'vs', vid: 999_999 }, 'UNSEALED', false],
  ['another package, for an event that nobody knows', { e: 'xx', pid: 9 }, 'UNKNOWN_EVENT', false],
])('%s is refused; the account that it is of reads why', async (_name, event, code, isOwn) => {
  expect(await collect(event)).toMatchObject(refusal(code));
  expect(await collecting.counts()).toEqual({ received: 1, [code]: 1 });
  expect(await collecting.outcomes(film.accountId)).toEqual(isOwn ? { [code]: 1 } : {});
  expect(collecting.totals()).toEqual({ plays: 0, playMs: 0 });
});

test('a video taken out of its package: refused, for its account to read', async () => {
  const send = await begin(film);
  await catalog.publications.retire(film);
  expect(await send({ e: 'vs' })).toMatchObject(refusal('RETIRED_VIDEO'));
  expect(await collecting.outcomes(film.accountId)).toEqual({ RETIRED_VIDEO: 1 });
});

test('an event of a retired video that cannot be read is not noted to anybody', async () => {
  await catalog.publications.retire(film);
  expect(await collect({ e: 'xx' })).toMatchObject(refusal('UNKNOWN_EVENT'));
  expect(await collecting.outcomes(film.accountId)).toEqual({});
});

test.each([
  ['a bot', { userAgent: 'Googlebot/2.1' }, [], 'BOT'],
  ['a foreign page', { origin: 'https://b.example' }, ['https://a.example'], 'ORIGIN'],
])('%s is refused before anything is kept', async (_name, sender, origins, code) => {
  film = await publishFilm(catalog, origins);
  await catalog.accounts.change(film.accountId, { takesUnsealed: true });
  expect(await collect({ e: 'vs' }, sender)).toMatchObject(refusal(code));
  expect(collecting.events.attempts()).toBe(0);
});

test.each(['events', 'facts'] as const)(
  '%s that cannot be written: nothing is promised, and sent again it counts',
  async (store) => {
    clock.advance(5_000);
    collecting[store].failNext(1);
    const event = { e: 'vi', dst: 0, det: 5 };
    await expect(collect(event)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await collecting.counts()).toEqual({ received: 1, unavailable: 1 });
    expect(await collecting.outcomes(film.accountId)).toEqual({ UNAVAILABLE: 1 });
    await collect(event);
    expect(collecting.totals()).toEqual({ plays: 1, playMs: 5_000 });
  },
);

test.each([
  [48 * hourMs, 1],
  [48 * hourMs + 1, 0],
])(
  'a session heard of again after %i ms: its play is older than facts may be, not the range',
  async (afterMs, plays) => {
    await collect({ e: 'vs' });
    const before = collecting.facts.written.length;
    clock.set(startMs + afterMs);
    expect(await collect({ e: 'vi', dst: 0, det: 5 })).toMatchObject({ ok: true });
    const facts = collecting.facts.written.slice(before).flat();
    expect(facts.filter((fact) => fact.plays === 1)).toHaveLength(plays);
    expect(facts.reduce((sum, { playMs }) => sum + playMs, 0)).toBe(5_000);
  },
);

test('a copy of a range that has become too old is refused as a beacon would be', async () => {
  const dayLong = { e: 'vi', dst: 0, det: 86_400 };
  const begin = clock.now();
  // Each comes sooner after the last than it is long, so that all are copies of the first.
  for (const [hours, code] of [[24], [47], [70, 'TOO_OLD']] as const) {
    clock.set(begin + hours * hourMs);
    expect(await collect(dayLong)).toMatchObject(code ? refusal(code) : { ok: true });
  }
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 86_400_000 });
  expect(await collecting.counts()).toEqual({ received: 3, counted: 2, TOO_OLD: 1 });
});

test('a range that came before the clock was set back is not in the future', async () => {
  clock.advance(hourMs);
  const range = { e: 'vi', dst: 0, det: 600 };
  await collect(range);
  clock.set(startMs + 60_000);
  expect(await collect(range)).toMatchObject({ ok: true });
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 600_000 });
});

test('a session is handed out with the numbers of the video, and a viewer of its own', async () => {
  const { accountId: gid, packageId: pid, videoId: vid } = film;
  const first = await playerLog.statsInfo(film.videoKey);
  expect(first).toEqual({
    statsInfo: {
      ...{ gid, pid, vid, plid: 1 },
      uid: expect.stringMatching(/^[\da-f-]{36}$/),
      cs: '20261120121000',
      errorInfo: noError,
    },
  });
  const second = await playerLog.statsInfo(film.videoKey);
  expect(second?.statsInfo.uid).not.toBe(first?.statsInfo.uid);
});

/** A session as the service gives it, on a film of an account that takes no other. */
async function begin(film: Awaited<ReturnType<typeof publishFilm>>) {
  await catalog.accounts.change(film.accountId, { takesUnsealed: false });
  const info = await playerLog.statsInfo(film.videoKey);
  if (!info) throw new Error('the film has a session');
  const { gid, pid, vid, uid, cs } = info.statsInfo;
  return (event: object) =>
    playerLog.collect(JSON.stringify({ gid, pid, vid, uid, cs, ...event }), {});
}

test.each([
  ['a viewer of its own', { uid: 'viewer' }],
  ['a viewer counted up', { uid: 1 }],
  ['another start', { cs: '19990101000000' }],
])('a session with %s does not, unless the account takes such', async (_name, change) => {
  const send = await begin(film);
  clock.advance(5_000);
  const event = { e: 'vi', dst: 0, det: 5, ...change };
  expect(await send(event)).toMatchObject(refusal('UNSEALED'));
  expect(collecting.events.attempts()).toBe(0);
  expect(await collecting.outcomes(film.accountId)).toEqual({ UNSEALED: 1 });
  await catalog.accounts.change(film.accountId, { takesUnsealed: true });
  expect(await send(event)).toMatchObject({ ok: true });
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 5_000 });
});

test('who guesses ids cannot see from the answer which of them are of a video', async () => {
  const { accountId: gid, packageId: pid, videoId: vid } = film;
  await catalog.accounts.change(gid, { takesUnsealed: false });
  const retired = await publishFilm(catalog, ['https://a.example']);
  await catalog.publications.retire(retired);
  const { accountId, packageId, videoId } = retired;
  const answers = await Promise.all(
    [
      { gid, pid, vid },
      { gid, pid, vid: 999_999 },
      { gid: accountId, pid: packageId, vid: videoId },
    ].flatMap((numbers) =>
      ['viewer', 1, crypto.randomUUID(), 'a.b.c'].map((uid) =>
        collect(
          { e: 'vs', ...numbers, uid },
          { userAgent: 'Googlebot/2.1', origin: 'https://b.example' },
        ),
      ),
    ),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject(refusal('UNSEALED'));
});

test('a session of numbers that name nothing: no such video', async () => {
  const cs = '20261120121000';
  const { accountId: gid, packageId: pid } = film;
  const videoId = 999_999;
  const uid = createSessionSeal(serviceSecret).draw({ ...film, videoId, cs });
  const sent = JSON.stringify({ e: 'vs', gid, pid, vid: videoId, uid, cs });
  expect(await playerLog.collect(sent, {})).toEqual({
    ok: false,
    reason: { code: 'UNKNOWN_VIDEO', detail: 'gid, pid, vid: no such video in a package' },
  });
  expect(await collecting.outcomes(gid)).toEqual({});
});

describe('a token instead of a viewer', () => {
  let uid: string;
  beforeEach(async () => {
    await catalog.accounts.change(film.accountId, { takesUnsealed: false });
    const secret = await addSecret(catalog.signingKeys, film.accountId);
    uid = tokenOf(claimsFor(film.videoKey, startMs), secret);
  });

  test('seals the session, which began no earlier than the token', async () => {
    const anHourAgo = '20261120111000';
    clock.advance(60_000);
    const tooLong = { e: 'vi', dst: 0, det: 61.001, uid, cs: anHourAgo };
    expect(await collect(tooLong)).toMatchObject(refusal('IN_FUTURE'));
    expect(await collect({ ...tooLong, det: 61 })).toMatchObject({ ok: true });
    expect(collecting.totals()).toEqual({ plays: 1, playMs: 61_000 });
  });

  test('leaves a session that began later as long as it is', async () => {
    clock.advance(60_000);
    const later = { e: 'vi', dst: 0, uid, cs: '20261120121030' };
    expect(await collect({ ...later, det: 31.001 })).toMatchObject(refusal('IN_FUTURE'));
    expect(await collect({ ...later, det: 31 })).toMatchObject({ ok: true });
  });

  test('counts one play, however many sessions come with it', async () => {
    for (const cs of ['20261120121000', '20261120121001']) {
      expect(await collect({ e: 'vs', uid, cs })).toMatchObject({ ok: true });
    }
    expect(collecting.totals()).toEqual({ plays: 1, playMs: 0 });
  });
});

test.each([
  ['at the end', 601, true],
  ['a moment after it', 601.001, false],
])(
  'a range ends %s of a film of 10 minutes, with a second to spare',
  async (_name, det, counts) => {
    const send = await begin(film);
    await catalog.videos.change(film.accountId, film.accessKey, { durationMs: 600_000 });
    clock.advance(hourMs);
    for (const event of [
      { e: 'vi', dst: 590, det },
      { e: 'vt', det },
    ]) {
      const result = await send(event);
      expect(result).toMatchObject(counts ? { ok: true } : refusal('INVALID_BEACON'));
    }
    expect(collecting.totals()).toEqual({ plays: counts ? 1 : 0, playMs: counts ? 11_000 : 0 });
  },
);

test('overlapping ranges of a session add up to no more than has passed since it began', async () => {
  const send = await begin(film);
  clock.advance(60_000);
  for (let dst = 0; dst < 10; dst += 1) await send({ e: 'vi', dst, det: 86_000 + dst });
  expect(collecting.totals()).toEqual({ plays: 0, playMs: 0 });
  for (let dst = 0; dst < 10; dst += 1) await send({ e: 'vi', dst, det: dst + 30 });
  expect(collecting.totals()).toEqual({ plays: 1, playMs: 60_000 });
});

test('where the video is, a native player reads before it asks for a session', async () => {
  expect(await playerLog.videoDetail(film.videoKey, 'https://content.example')).toEqual({
    VideoDetail: {
      videoUrl: `https://content.example/${film.videoKey}`,
      videoInfo: { id: film.videoId, opt: 'NONE' },
      PlayerType: { gid: film.accountId },
      CuePointList: [],
      errorInfo: noError,
    },
  });
});

test('of a key that is not there nothing is handed out', async () => {
  expect(await playerLog.statsInfo('nobody')).toBeUndefined();
  expect(await playerLog.videoDetail('nobody', 'https://content.example')).toBeUndefined();
});
