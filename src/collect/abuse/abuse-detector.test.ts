import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { wideLimits } from '../../../test/support/wide-bounds.ts';
import type { Publication } from '../../catalog/catalog.ts';
import { slotMs } from '../../store/facts.ts';
import type { Draft, Sender } from '../draft.ts';
import type { OperatingSystem } from '../enrich/system/operating-system-names.ts';
import { identifyView } from '../steps/view-identity.ts';
import { createAbuseDetector, type UsualLimits } from './abuse-detector.ts';

const hourMs = 3_600_000;
const here: Sender = { network: '192.0.2.7' };
const elsewhere: Sender = { network: '192.0.2.8' };
const server: Sender = { accountId: 1, network: '192.0.2.9' };

interface Given {
  readonly view?: string;
  readonly stretch?: number;
  readonly playMs?: number;
  readonly atMs?: number;
  readonly os?: OperatingSystem['name'];
  readonly viewer?: string;
  readonly publication?: Partial<Publication>;
  /** What it was set apart as before. */
  readonly suspect?: string;
}

function judging(limits: Partial<UsualLimits>, secret = 'secret', lines: string[] = []) {
  const clock = manualClock();
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  const beganMs = clock.now();
  const { judge, recall } = createAbuseDetector({
    limits: { ...wideLimits, ...limits },
    ...{ secret, clock, logger },
  });
  const identities = new Map<string, string>();
  const identityOf = (view: string) => {
    const identity = identities.get(view) ?? identifyView('beacon', view);
    identities.set(view, identity);
    return identity;
  };
  /** Under which suspect the draft is, and from where on under which other. */
  const judged = (given: Given, sender = here) => {
    const { view = 'v', stretch = 0, playMs = 0, os = 'iOS', viewer, publication } = given;
    const { atMs = beganMs } = given;
    const draft: Draft = {
      ...{
        view: identityOf(view),
        stretch,
        atMs,
        playMs,
        plays: stretch === 0 ? 1 : 0,
        device: {},
        facts: [],
      },
      publication: {
        ...{ accountId: 1, packageId: 2, videoId: 3, durationMs: 0, allowedOrigins: [] },
        ...publication,
      } as Publication,
      operatingSystem: { name: os, version: '18' },
      viewer,
      suspect: given.suspect,
    };
    judge(draft, { sender, nowMs: clock.now() });
    const { suspect, beyond } = draft;
    const apart = beyond ? [beyond.suspect, beyond.fromMs] : [suspect ?? ''];
    return given.suspect !== undefined && beyond ? [suspect, ...apart] : apart;
  };
  return { clock, judged, remember: recall.remember };
}

const pace = (views: number, players = 0, rows = 0) => ({ views, players, rows });
const usual = [''];
const byAddress = [expect.stringMatching(/^ADDRESS:2026-11-20:[0-9a-f]{16}$/)];

test('new views of an address: three minutes of them at once, then at their pace', () => {
  const { clock, judged } = judging({ ADDRESS: pace(2) });
  const next = (number: number) => judged({ view: `v${number}` });
  for (let number = 1; number <= 6; number += 1) expect(next(number)).toEqual(usual);
  expect(next(7)).toEqual(byAddress);
  expect(judged({ view: 'v7' }, elsewhere)).toEqual(byAddress);
  expect(judged({ view: 'v8' }, elsewhere)).toEqual(usual);
  clock.advance(29_999);
  expect(next(9)).toEqual(byAddress);
  clock.advance(1);
  expect(next(10)).toEqual(usual);
  expect(next(11)).toEqual(byAddress);
});

test('new views of a /48 network: those of 16 addresses, from however many of its networks', () => {
  const { judged } = judging({ ADDRESS: pace(1) });
  const from = (number: number, site: string) =>
    judged({ view: `v${number} ${site}` }, { network: `${site}:${number}`, site });
  for (let number = 1; number <= 3 * 16; number += 1) {
    expect(from(number, '2001:db8:1')).toEqual(usual);
  }
  expect(from(49, '2001:db8:1')).toEqual(byAddress);
  expect(from(49, '2001:db8:2')).toEqual(usual);
});

test('what is not signed has bounds of its own, and is kept apart from the rest beyond them', () => {
  const { judged } = judging({ ADDRESS: pace(1) });
  const suspect = 'UNSIGNED:2026-11-20:2';
  for (const view of ['a', 'b', 'c']) expect(judged({ view, suspect })).toEqual([suspect]);
  const [beyond] = judged({ view: 'd', suspect });
  expect(beyond).toMatch(/^UNSIGNED:2026-11-20:[0-9a-f]{16}$/);
  expect(judged({ view: 'd', suspect, stretch: 1 })).toEqual([beyond]);
  expect(judged({ view: 'e', suspect }, elsewhere)).toEqual([suspect]);
  // Nothing was used up for what is signed.
  for (const view of ['f', 'g', 'h']) expect(judged({ view })).toEqual(usual);
  expect(judged({ view: 'i' })).toEqual(byAddress);
});

test('time of a view that is not signed, beyond the length of its video, is kept apart too', () => {
  const { judged } = judging({ lengths: 2 });
  const suspect = 'UNSIGNED:2026-11-20:2';
  const publication = { durationMs: 1_000 };
  expect(judged({ suspect, publication, playMs: 2_000 })).toEqual([suspect]);
  expect(judged({ suspect, publication, playMs: 2_001 })).toEqual([
    suspect,
    expect.stringMatching(/^UNSIGNED:2026-11-20:[0-9a-f]{16}$/),
    2_000,
  ]);
});

test('a view of another video or in another package is another view', () => {
  const { judged } = judging({ ADDRESS: pace(1) });
  const variants: Given[] = [
    {},
    { publication: { videoId: 4 } },
    { publication: { packageId: 5 } },
  ];
  for (const variant of variants) expect(judged(variant)).toEqual(usual);
  expect(judged({ publication: { videoId: 6 } })).toEqual(byAddress);
});

test('what was judged once keeps its judgement, and uses nothing up', () => {
  const { clock, judged } = judging({ ADDRESS: pace(1) });
  for (const view of ['a', 'b', 'c']) expect(judged({ view, playMs: 5 })).toEqual(usual);
  const suspect = judged({ view: 'd' });
  expect(suspect).toEqual(byAddress);
  for (let again = 0; again < 10; again += 1) {
    for (const view of ['a', 'b', 'c']) expect(judged({ view, playMs: 9 })).toEqual(usual);
  }
  clock.advance(60_000);
  expect(judged({ view: 'e' })).toEqual(usual);
  clock.advance(30 * hourMs);
  expect(judged({ view: 'd', stretch: 1, playMs: 5 })).toEqual(suspect);
  expect(judged({ view: 'a', playMs: 50 })).toEqual(usual);
});

test('a view that has not played yet is judged once, too', () => {
  const { judged } = judging({ ADDRESS: pace(1) });
  for (let again = 0; again < 10; again += 1) expect(judged({ view: 'a' })).toEqual(usual);
  for (const view of ['b', 'c']) expect(judged({ view })).toEqual(usual);
  for (let again = 0; again < 2; again += 1) {
    expect(judged({ view: 'd', playMs: 5 })).toEqual(byAddress);
  }
});

test('new views of a video, whoever plays it', () => {
  const { judged } = judging({ VIDEO: pace(1) });
  const from = (number: number) => judged({ view: `v${number}` }, { network: `192.0.2.${number}` });
  for (let number = 1; number <= 10; number += 1) expect(from(number)).toEqual(usual);
  expect(from(11)).toEqual(['VIDEO:2026-11-20:3']);
  expect(judged({ view: 'v12', publication: { videoId: 4 } })).toEqual(usual);
});

test('new views of a viewer whom a token names, from wherever', () => {
  const { judged } = judging({ VIEWER: pace(1) });
  const watch = (view: string, viewer?: string, sender = here) => {
    return judged({ view, ...(viewer === undefined ? {} : { viewer }) }, sender);
  };
  for (const view of ['a', 'b', 'c']) expect(watch(view, 'Ann')).toEqual(usual);
  const [suspect] = watch('d', 'Ann', elsewhere);
  expect(suspect).toMatch(/^VIEWER:2026-11-20:[0-9a-f]{16}$/);
  expect(watch('e', 'Bo')).toEqual(usual);
  // Those without one share nothing.
  for (const view of ['f', 'g', 'h', 'i']) expect(watch(view)).toEqual(usual);
});

test('stretches of a viewer or a video are bounded by their time alone', () => {
  const { judged } = judging({ VIEWER: pace(0, 1), VIDEO: pace(0, 1) });
  for (let stretch = 0; stretch < 700; stretch += 1) {
    expect(judged({ stretch, playMs: 1, viewer: 'Ann' })).toEqual(usual);
  }
});

test('playing time of a /48 network: that of 16 addresses', () => {
  const { judged } = judging({ ADDRESS: pace(0, 1) });
  const from = (number: number) =>
    judged({ view: `v${number}`, playMs: 8 * hourMs }, { network: `${number}`, site: 'site' });
  for (let number = 1; number <= 16; number += 1) expect(from(number)).toEqual(usual);
  expect(from(17)).toEqual([...byAddress, 0]);
});

test('a view that an address may not begin takes nothing from the video', () => {
  const { judged } = judging({ ADDRESS: pace(1), VIDEO: pace(1) });
  for (let number = 0; number < 100; number += 1) judged({ view: `v${number}` });
  const others = Array.from({ length: 9 }, (_, number) =>
    judged({ view: `other${number}` }, { network: `198.51.100.${number}` }),
  );
  const apart = 'VIDEO:2026-11-20:3';
  expect(others.flat()).toEqual([...Array<string>(7).fill(''), apart, apart]);
});

test('playing time of an address: eight hours of its players at once, then at their pace', () => {
  const { clock, judged } = judging({ ADDRESS: pace(0, 2) });
  expect(judged({ playMs: 16 * hourMs })).toEqual(usual);
  expect(judged({ view: 'w', playMs: 1 })).toEqual([...byAddress, 0]);
  clock.advance(500);
  expect(judged({ view: 'x', playMs: 1_000 })).toEqual(usual);
  clock.advance(500);
  expect(judged({ view: 'y', playMs: 1_001 })).toEqual([...byAddress, 1_000]);
});

test('new stretches of an address: three minutes of its players at once, one a second each', () => {
  const { clock, judged } = judging({ ADDRESS: pace(0, 1) });
  const begin = (stretch: number, sender = here, view = 'v') =>
    judged({ view, stretch, playMs: 1 }, sender);
  for (let stretch = 1; stretch <= 180; stretch += 1) expect(begin(stretch)).toEqual(usual);
  expect(judged({ stretch: 180, playMs: 9 })).toEqual(usual);
  expect(begin(181)).toEqual([...byAddress, 0]);
  expect(begin(182, elsewhere)).toEqual([...byAddress, 0]);
  expect(begin(1, elsewhere, 'w')).toEqual(usual);
  clock.advance(1_000);
  expect(begin(1, here, 'x')).toEqual(usual);
  expect(begin(2, here, 'x')).toEqual([...byAddress, 0]);
});

const minuteMs = 60_000;
const dayMs = 24 * hourMs;
const byAccount = [expect.stringMatching(/^ACCOUNT:2026-11-20:1$/)];

test('rows of an address: those of a day at once, then at their pace', () => {
  const { clock, judged } = judging({ ADDRESS: pace(0, 0, 5) });
  // At noon a slot begins: three of them, and growing in the last adds none.
  expect(judged({ playMs: 30 * minuteMs + 1 })).toEqual(usual);
  for (const minutes of [44, 45, 45, 31]) {
    expect(judged({ playMs: minutes * minuteMs })).toEqual(usual);
  }
  expect(judged({ playMs: 45 * minuteMs + 1 })).toEqual(usual);
  expect(judged({ stretch: 1, playMs: 1 })).toEqual(usual);
  expect(judged({ stretch: 2, playMs: 1 })).toEqual([...byAddress, 0]);
  expect(judged({ view: 'w' })).toEqual(byAddress);
  expect(judged({ view: 'x' }, elsewhere)).toEqual(usual);
  clock.advance(dayMs / 5);
  expect(judged({ view: 'y', playMs: 1 })).toEqual(usual);
  expect(judged({ view: 'z', playMs: 1 })).toEqual(byAddress);
});

test('what begins at another time is another row, and is judged as such', () => {
  const { clock, judged } = judging({ ADDRESS: pace(0, 0, 3) });
  const atMs = clock.now();
  const began = (laterMs: number, playMs = 1) => judged({ atMs: atMs + laterMs, playMs });
  expect([began(0), began(0), began(1), began(1), began(2, 0)]).toEqual(Array(5).fill(usual));
  // Neither its time nor its play.
  expect(began(3, 0)).toEqual(byAddress);
  expect(began(4)).toEqual(byAddress);
  expect(judged({ stretch: 1, playMs: 1 })).toEqual([...byAddress, 0]);
});

test('a clock that is corrected while it plays uses up no time twice', () => {
  const { judged } = judging({ lengths: 2 });
  const publication = { durationMs: 60_000 };
  const atMs = Date.UTC(2026, 10, 20, 12, 1);
  for (let seconds = 10; seconds <= 120; seconds += 10) {
    const told = { publication, atMs: atMs + (seconds % 7), playMs: seconds * 1_000 };
    expect(judged(told)).toEqual(usual);
  }
});

test('beginnings without time are stretches of a view, too', () => {
  const { judged } = judging({ stretches: 3 });
  const atMs = Date.UTC(2026, 10, 20, 12, 1);
  const told = [0, 1, 2, 3, 4].map((later) => judged({ atMs: atMs + later, playMs: 0 }));
  expect(told.map(([suspect]) => suspect !== '')).toEqual([false, false, false, true, true]);
});

test('rows of an account: from however many addresses, but not with its key', () => {
  const { judged } = judging({ ACCOUNT: pace(0, 0, 3) });
  const from = (number: number, more: Given = {}) =>
    judged({ view: `v${number}`, playMs: 1, ...more }, { network: `192.0.2.${number}` });
  for (let number = 1; number <= 3; number += 1) expect(from(number)).toEqual(usual);
  expect(from(4)).toEqual(byAccount);
  expect(from(3, { playMs: 9 })).toEqual(usual);
  expect(from(5, { publication: { accountId: 2 } })).toEqual(usual);
  for (let number = 6; number <= 99; number += 1) {
    expect(judged({ view: `v${number}`, playMs: 1 }, server)).toEqual(usual);
  }
});

test('stretches of a view: as many as a player makes in a day, but any number with a key', () => {
  const { clock, judged } = judging({ stretches: 3 });
  const begin = (stretch: number, more: Given = {}, sender = here) =>
    judged({ stretch, playMs: 1, ...more }, sender);
  for (const stretch of [0, 1, 2, 1]) expect(begin(stretch)).toEqual(usual);
  expect(begin(3)).toEqual(['LENGTH:2026-11-20:3', 0]);
  expect(begin(2, { playMs: 9 })).toEqual(['LENGTH:2026-11-20:3', 1]);
  for (const stretch of [0, 1, 2]) expect(begin(stretch, { view: 'w' })).toEqual(usual);
  const tomorrow = { view: 'w', atMs: clock.now() + dayMs };
  for (const stretch of [3, 4]) expect(begin(stretch, tomorrow)).toEqual(usual);
  for (let stretch = 0; stretch < 99; stretch += 1) {
    expect(begin(stretch, { view: 'x' }, server)).toEqual(usual);
  }
});

test('whatever one address sends in a day, it adds no more usual rows than twice its bound', () => {
  const rows = 20;
  const beacon = fc.record({
    view: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    stretch: fc.nat(3),
    playMs: fc.constantFrom(0, 1, 16 * minuteMs, 2 * hourMs),
    laterMs: fc.constantFrom(0, 1, 2 * minuteMs, hourMs),
    waitMs: fc.constantFrom(0, 5 * minuteMs),
  });
  const { clock, judged } = judging({ ADDRESS: pace(0, 0, rows) });
  const atMs = clock.now();
  let runs = 0;
  fc.assert(
    fc.property(fc.array(beacon, { minLength: 30, maxLength: 120 }), (beacons) => {
      runs += 1;
      const sender = { network: `here ${runs}` };
      const stored = new Set<string>();
      for (const { laterMs, waitMs, ...given } of beacons) {
        clock.advance(waitMs);
        const about = { ...given, atMs: atMs + laterMs };
        const view = `${runs} ${given.view}`;
        const [suspect, fromMs] = judged({ ...about, view }, sender);
        const usualMs = suspect === '' ? given.playMs : fromMs;
        if (usualMs === undefined) continue;
        const slotOf = (ms: number) => Math.floor((laterMs + ms) / slotMs);
        const last = slotOf(Math.max(1, Number(usualMs)) - 1);
        const hasRow = Number(usualMs) > 0 || given.stretch === 0;
        for (let slot = slotOf(0); hasRow && slot <= last; slot += 1) {
          stored.add(`${given.view} ${given.stretch} ${laterMs} ${slot}`);
        }
      }
      expect(stored.size).toBeLessThanOrEqual(2 * rows);
    }),
  );
});

test('a flood of stretches from one address has nobody else judged anew', () => {
  const { judged } = judging({ ADDRESS: pace(200, 600), VIDEO: pace(1, 0) });
  const video = { videoId: 4 };
  for (let number = 0; number < 10; number += 1) {
    expect(judged({ view: `${number}`, playMs: 5, publication: video })).toEqual(usual);
  }
  for (let stretch = 0; stretch < 600_000; stretch += 1) {
    judged({ view: 'flood', stretch, playMs: 1 }, elsewhere);
  }
  for (let number = 0; number < 10; number += 1) {
    expect(judged({ view: `${number}`, playMs: 6, publication: video })).toEqual(usual);
  }
});

test('a view keeps its usual time, and all that is further is set apart', () => {
  const { clock, judged } = judging({ ADDRESS: pace(0, 1) });
  expect(judged({ playMs: 8 * hourMs - 5 })).toEqual(usual);
  const [suspect] = judged({ playMs: 8 * hourMs + 5 });
  expect(judged({ playMs: 8 * hourMs })).toEqual(usual);
  expect(judged({ playMs: 8 * hourMs + 5 })).toEqual([suspect, 8 * hourMs]);
  clock.advance(30 * hourMs);
  expect(judged({ playMs: 8 * hourMs + 6 })).toEqual([suspect, 8 * hourMs]);
  expect(judged({ stretch: 1, playMs: 0 })).toEqual([suspect]);
  expect(judged({ stretch: 1, playMs: 7 })).toEqual([suspect, 0]);
  expect(judged({ view: 'w', playMs: 7 })).toEqual(usual);
});

test('a view is not longer than some lengths of its video, in all its stretches', () => {
  const { judged } = judging({ lengths: 10 });
  const publication = { durationMs: 12_000 };
  const beyond = (fromMs: number) => ['LENGTH:2026-11-20:3', fromMs];
  expect(judged({ playMs: 100_000, publication })).toEqual(usual);
  expect(judged({ playMs: 90_000, publication })).toEqual(usual);
  expect(judged({ stretch: 1, playMs: 20_000, publication })).toEqual(usual);
  expect(judged({ stretch: 1, playMs: 20_001, publication })).toEqual(beyond(20_000));
  expect(judged({ stretch: 2, playMs: 1, publication })).toEqual(beyond(0));
  expect(judged({ playMs: 100_001, publication })).toEqual(beyond(100_000));
  expect(judged({ view: 'w', playMs: 120_001, publication })).toEqual(beyond(120_000));
  expect(judged({ view: 'x', playMs: 24 * hourMs })).toEqual(usual);
});

test('a film in a loop plays for as long as time passes, in few stretches or many', () => {
  const { clock, judged } = judging({ lengths: 10 });
  const publication = { durationMs: 1_000 };
  for (let hours = 1; hours <= 24; hours += 1) {
    clock.advance(hourMs);
    expect(judged({ playMs: hours * hourMs, publication })).toEqual(usual);
  }
  for (let stretch = 1; stretch <= 1_000; stretch += 1) {
    const began = { stretch, atMs: clock.now(), publication };
    clock.advance(60_000);
    // What is told late was played at that time.
    if (stretch % 9 !== 0) expect(judged({ ...began, playMs: 60_000 })).toEqual(usual);
    if (stretch % 9 === 1 && stretch > 9) {
      const late = { stretch: stretch - 1, atMs: began.atMs - 60_000, publication };
      expect(judged({ ...late, playMs: 60_000 })).toEqual(usual);
    }
  }
});

test('a view that tells the same hours again and again is no loop', () => {
  const { clock, judged } = judging({ lengths: 10 });
  const publication = { durationMs: 1_000 };
  const atMs = clock.now();
  clock.advance(2 * hourMs);
  expect(judged({ atMs, playMs: 2 * hourMs, publication })).toEqual(usual);
  expect(judged({ atMs, playMs: 2 * hourMs, publication, stretch: 1 })).toEqual([
    'LENGTH:2026-11-20:3',
    10_000,
  ]);
});

test('a server with a key is bounded by the length of the film alone', () => {
  const { judged } = judging({ ADDRESS: pace(1, 1), VIDEO: pace(1, 1), lengths: 10 });
  const publication = { durationMs: 10 * hourMs };
  for (let number = 0; number < 100; number += 1) {
    expect(judged({ view: `v${number}`, playMs: 24 * hourMs, publication }, server)).toEqual(usual);
  }
  const short = { durationMs: 1_000 };
  expect(judged({ playMs: 10_001, publication: short }, server)).toEqual([
    'LENGTH:2026-11-20:3',
    10_000,
  ]);
});

test('what was set apart before a start stays so', () => {
  const { judged, remember } = judging({ ADDRESS: pace(1), lengths: 10 });
  const about = { packageId: 2, videoId: 3, os: 'iOS', osVersion: '18' };
  remember([
    { ...about, view: identifyView('beacon', 'a'), suspect: 'ADDRESS:2026-11-19:00', usual: [] },
    {
      ...{ ...about, view: identifyView('beacon', 'b'), suspect: 'LENGTH:2026-11-19:3' },
      usual: [
        [0, 30],
        [7, 5],
      ],
    },
  ]);
  expect(judged({ view: 'a', playMs: 5 })).toEqual(['ADDRESS:2026-11-19:00']);
  expect(judged({ view: 'b', playMs: 30 })).toEqual(usual);
  expect(judged({ view: 'b', stretch: 7, playMs: 6 })).toEqual(['LENGTH:2026-11-19:3', 5]);
  expect(judged({ view: 'b', stretch: 8, playMs: 1 })).toEqual(['LENGTH:2026-11-19:3', 0]);
});

test('a suspect is of one address, day, account and secret, and never shows the address', () => {
  const suspectOf = (secret: string, sender: Sender, accountId: number, afterMs: number) => {
    const { clock, judged } = judging({ ADDRESS: pace(1) }, secret);
    clock.advance(afterMs);
    const publication = { accountId };
    for (const view of ['a', 'b', 'c']) judged({ view, publication }, sender);
    return String(judged({ view: 'd', publication }, sender)[0]).replace(/^.*:/, '');
  };
  const first = suspectOf('secret', here, 1, 0);
  expect(suspectOf('secret', here, 1, 0)).toBe(first);
  const others = [
    suspectOf('other', here, 1, 0),
    suspectOf('secret', elsewhere, 1, 0),
    suspectOf('secret', here, 2, 0),
    suspectOf('secret', here, 1, 24 * hourMs),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});

test('the log advises once an hour, without the address', () => {
  const lines: string[] = [];
  const { clock, judged } = judging({ ADDRESS: pace(1) }, 'secret', lines);
  const flood = (name: string) => {
    for (let number = 0; number < 1_000; number += 1) judged({ view: `${name}${number}` });
  };
  flood('a');
  flood('b');
  expect(lines).toHaveLength(1);
  clock.advance(hourMs);
  flood('c');
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toContain('192.0.2');
  const others: string[] = [];
  const ofVideo = judging({ VIDEO: pace(1) }, 'secret', others);
  for (let number = 0; number < 20; number += 1) ofVideo.judged({ view: `v${number}` });
  expect(others).toEqual([]);
});

test('beacons that are sent again change no judgement', () => {
  const beacon = fc.record({
    view: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    stretch: fc.nat(2),
    playMs: fc.nat(6_000),
    waitMs: fc.nat(1_000),
    isFromHere: fc.boolean(),
    again: fc.array(fc.nat(), { maxLength: 3 }),
  });
  const limits = { ADDRESS: pace(1, 0.000_2, 9), lengths: 2, stretches: 2 };
  const [once, often] = [judging(limits), judging(limits)];
  let runs = 0;
  fc.assert(
    fc.property(fc.array(beacon, { maxLength: 30 }), (beacons) => {
      // Making a judge takes far longer than asking it: each run has senders and a video of its own.
      runs += 1;
      const [here, elsewhere] = [{ network: `here ${runs}` }, { network: `elsewhere ${runs}` }];
      const publication = { durationMs: 5_000, videoId: runs };
      beacons.forEach(({ waitMs, isFromHere, again, ...given }, index) => {
        const sender = isFromHere ? here : elsewhere;
        once.clock.advance(waitMs);
        often.clock.advance(waitMs);
        const judgement = once.judged({ ...given, publication }, sender);
        expect(often.judged({ ...given, publication }, sender)).toEqual(judgement);
        for (const number of again) {
          const { view, stretch, playMs } = beacons[number % (index + 1)] as Given;
          often.judged({ view, stretch, playMs, publication } as Given, elsewhere);
        }
      });
    }),
  );
});
