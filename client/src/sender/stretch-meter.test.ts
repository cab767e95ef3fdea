import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStretchMeter, type Stretch } from './stretch-meter.ts';

/** A viewer's device: a clock and a media element, both moved by hand. */
function createDevice(heartbeatMs = 10_000, hasEnd = true) {
  const reports: Stretch[] = [];
  const meter = createStretchMeter(heartbeatMs, (stretch) => {
    if (!stretches.includes(stretch)) stretches.push(stretch);
    reports.push({ ...stretch });
  });
  const stretches: Stretch[] = [];
  const state = {
    ...{ monotonicMs: 0, mediaSeconds: 0, rate: 1, hasEnd, playing: false, early: false },
    loopSeconds: 0,
  };
  const look = (cut = false, due = false) =>
    meter.look({ ...state, dateMs: 1_000_000 + state.monotonicMs }, cut, due);

  return {
    reports,
    stretches,
    look,
    /** Lets time pass with a look at its end; the media advances for `advancingMs` of it. */
    pass(ms: number, advancingMs = ms) {
      state.monotonicMs += ms;
      const seconds = state.mediaSeconds + (advancingMs * state.rate) / 1000;
      state.mediaSeconds = state.loopSeconds ? seconds % state.loopSeconds : seconds;
      look();
    },
    set(change: Partial<typeof state>) {
      Object.assign(state, change);
      look();
    },
  };
}

describe('a stretch', () => {
  test('begins at no event that is no sign of playing: that of a seek may still come', () => {
    const device = createDevice();
    device.set({ playing: true, early: true });
    device.pass(250);
    device.set({ early: false });
    device.pass(250);
    expect(device.stretches).toHaveLength(1);
    expect(device.reports).toEqual([stretchOf(1_000_250, 250, 250)]);
    // Under way it goes on.
    device.set({ early: true });
    device.pass(250);
    device.set({ playing: false });
    expect(device.stretches).toEqual([stretchOf(1_000_250, 500, 250)]);
  });

  test('has no position in a live stream, which may be caught up with at many rates', () => {
    const device = createDevice(10_000, false);
    device.set({ playing: true, mediaSeconds: 900 });
    for (const rate of [1, 1.5, 1.25, 1]) {
      device.set({ rate });
      device.pass(1000);
    }
    device.set({ playing: false });
    expect(device.stretches).toEqual([{ at: 1_000_000, playMs: 4000, mediaMs: 4750 }]);
  });

  test('says with each report how far the media has come, from where it began', () => {
    const device = createDevice(1000);
    device.set({ playing: true, rate: 1.5, mediaSeconds: 7.0625 });
    for (let tick = 0; tick < 8; tick += 1) device.pass(250);
    expect(device.reports.map(({ playMs, mediaMs }) => [playMs, mediaMs])).toEqual([
      [250, 375],
      [1250, 1875],
    ]);
    expect(device.reports.map(({ position }) => position)).toEqual([7063, 7063]);
  });

  test('begins at the start where a player counts from before it', () => {
    const device = createDevice();
    device.set({ playing: true, mediaSeconds: -0.2 });
    device.pass(1000);
    expect(device.stretches[0]?.position).toBe(0);
  });

  test('goes on where a player does not know for a moment how far it is', () => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(1000);
    device.set({ mediaSeconds: Number.NaN });
    device.set({ mediaSeconds: 1 });
    device.pass(1000);
    device.set({ playing: false });
    expect(device.stretches).toEqual([stretchOf(1_000_000, 2000, 0)]);
  });

  test.each([
    { sleep: 'a clock that goes on', monotonicMs: 3_600_000 },
    { sleep: 'a clock that stands still', monotonicMs: 200 },
  ])('gains nothing from a sleep, with $sleep', ({ monotonicMs }) => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(5000);
    device.pass(monotonicMs, 200);
    device.pass(1000);
    device.set({ playing: false });
    expect(totalMs(device.stretches)).toBe(6200);
  });

  test('loses nothing in a tab that is looked at once a minute', () => {
    const device = createDevice();
    device.set({ playing: true });
    for (let tick = 0; tick < 5; tick += 1) device.pass(60_000);
    device.set({ playing: false });
    expect(device.stretches).toEqual([stretchOf(1_000_000, 300_000, 0)]);
  });

  test('is cut well before it is longer than the server takes', () => {
    const device = createDevice();
    device.set({ playing: true });
    for (let tick = 0; tick < 50 * 60; tick += 1) device.pass(60_000);
    device.set({ playing: false });
    expect(totalMs(device.stretches)).toBe(50 * 3_600_000);
    expect(Math.max(...device.stretches.map(({ playMs }) => playMs))).toBeLessThan(3_700_000);
  });

  test('is not made by a jump of the media that no one heard of', () => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(250);
    device.pass(250, 90_000);
    device.pass(250);
    device.set({ playing: false });
    expect(device.stretches).toEqual([
      stretchOf(1_000_000, 500, 0),
      stretchOf(1_000_500, 250, 90_250),
    ]);
  });
});

describe('a clip in a loop', () => {
  const begin = (loopSeconds: number, mediaSeconds = 0) => {
    const device = createDevice();
    device.set({ playing: true, loopSeconds, mediaSeconds });
    return device;
  };

  test.each([
    { lookMs: 50, seconds: 1, rate: 1 },
    { lookMs: 240, seconds: 1, rate: 1 },
    { lookMs: 240, seconds: 12, rate: 2 },
    { lookMs: 900, seconds: 1, rate: 0.5 },
    // A busy page: it came round more than once between two looks.
    { lookMs: 700, seconds: 0.75, rate: 1 },
  ])('of $seconds s at rate $rate, seen every $lookMs ms, is one stretch', (row) => {
    const device = begin(row.seconds);
    device.set({ rate: row.rate });
    const looks = Math.ceil(90_000 / row.lookMs);
    for (let look = 0; look < looks; look += 1) device.pass(row.lookMs);
    device.set({ playing: false });
    const playMs = looks * row.lookMs;
    expect(device.stretches).toHaveLength(1);
    expect(device.stretches[0]).toMatchObject({ at: 1_000_000, position: 0 });
    expect(isNear(device.stretches[0]?.playMs ?? 0, playMs)).toBe(true);
    expect(isNear(device.stretches[0]?.mediaMs ?? 0, playMs * row.rate)).toBe(true);
    expect(device.reports.length).toBeLessThan(12);
  });

  test.each([
    { standingMs: 100, countedMs: 1_100, most: 1 },
    // More than a player needs for that: not counted, and seldom cut.
    { standingMs: 400, countedMs: 1_250, most: 12 },
  ])('that stands still for $standingMs ms each time', ({ standingMs, countedMs, most }) => {
    const device = begin(1);
    const rounds = 600;
    for (let round = 0; round < rounds; round += 1) {
      for (let look = 0; look < 4; look += 1) device.pass(250);
      device.pass(standingMs, 0);
    }
    device.set({ playing: false });
    const played = totalMs(device.stretches) / rounds;
    expect(played).toBeGreaterThan(countedMs - 5);
    expect(played).toBeLessThanOrEqual(countedMs);
    expect(device.stretches.length).toBeLessThanOrEqual(most);
  });

  test('that began within it is seen from its beginning on from the next round', () => {
    const device = begin(12, 5);
    for (let look = 0; look < 200; look += 1) device.pass(250);
    device.set({ playing: false });
    expect(device.stretches).toEqual([
      stretchOf(1_000_000, 7_000, 5_000),
      stretchOf(1_007_000, 43_000, 0),
    ]);
  });

  test.each([
    { sleep: 'a clock that goes on', monotonicMs: 3_600_000 },
    { sleep: 'a clock that stands still', monotonicMs: 200 },
  ])('gains nothing from a sleep, with $sleep', ({ monotonicMs }) => {
    const device = begin(1);
    for (let look = 0; look < 10; look += 1) device.pass(250);
    device.pass(monotonicMs, 200);
    device.pass(100);
    device.set({ playing: false });
    const countedMs = totalMs(device.stretches);
    expect(countedMs).toBeGreaterThan(2_798);
    // For the moment in which it comes round, a quarter of a second is granted.
    expect(countedMs).toBeLessThanOrEqual(2_800 + 250);
  });

  test('counts no stall that nobody announced, and none that a seek makes up for', () => {
    const device = begin(30);
    for (let stall = 0; stall < 5; stall += 1) {
      device.pass(250);
      device.pass(900, 0);
    }
    device.pass(250, 20_000);
    device.set({ playing: false });
    expect(totalMs(device.stretches)).toBeLessThanOrEqual(6 * 250 + 1_000);
  });
});

describe('whatever a viewer does', () => {
  const deed = fc.record({
    does: fc.constantFrom('play', 'pause', 'stall', 'wait', 'rate', 'jitter'),
    ms: fc.integer({ min: 1, max: 40_000 }),
    looks: fc.integer({ min: 1, max: 20 }),
  });

  test('the sum is the time in which the media advanced, and each stretch only grows', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        const device = createDevice();
        let advancedMs = 0;
        let jitters = 0;
        for (const { does, ms, looks } of deeds) {
          if (does === 'rate') device.set({ rate: (ms % 8) / 4 + 0.25 });
          if (does === 'wait') device.look(true);
          if (does === 'jitter') jitters += 1;
          device.set({ playing: does !== 'pause' });
          const runs = does !== 'pause' && does !== 'stall';
          for (let look = 0; look < looks; look += 1) {
            const lag = does === 'jitter' && look === 0 ? Math.min(15, ms / looks) : 0;
            device.pass(ms / looks, runs ? ms / looks - lag : 0);
            advancedMs += runs ? ms / looks - lag : 0;
          }
        }
        device.set({ playing: false });

        const total = totalMs(device.stretches);
        expect(total).toBeLessThanOrEqual(advancedMs + 1);
        // Each is in whole milliseconds; of a millisecond in several looks that may be none.
        const roundings = device.stretches.length + deeds.filter(({ ms }) => ms === 1).length;
        expect(total).toBeGreaterThan(advancedMs - 1 - roundings - jitters);
        for (const stretch of device.stretches) {
          const ownReports = device.reports.filter((report) => report.at === stretch.at);
          expect(ownReports.map(({ playMs }) => playMs)).toEqual(
            ownReports.map(({ playMs }) => playMs).sort((a, b) => a - b),
          );
        }
      }),
    );
  });

  /** What the element does, with a look four times a second and at each change. */
  const change = fc.record({
    does: fc.constantFrom('play', 'pause', 'stall', 'seek'),
    rate: fc.constantFrom(-2, -1, 0.25, 0.5, 1, 1.5, 2, 16),
    tensOfMs: fc.integer({ min: 1, max: 2_000 }),
    toSeconds: fc.integer({ min: 0, max: 600 }),
  });

  test('stretches of one rate tell which parts of the media were played', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const device = createDevice();
        /** Each run of the media as it was: where it began, for how long, and at which rate. */
        const runs: { position: number; ms: number; rate: number }[] = [];
        let position = 1_000_000;
        let isRunning = false;
        device.set({ mediaSeconds: position / 1000 });
        for (const { does, rate, tensOfMs, toSeconds } of changes) {
          // At a seek and a stall the element says so, and one at rest changes its rate unseen.
          if (does === 'seek') {
            position = 1_000_000 + toSeconds * 1000;
            device.set({ playing: false });
            device.set({ mediaSeconds: position / 1000 });
          }
          if (does === 'stall') device.look(true);
          const plays = does === 'play' || does === 'seek';
          const last = runs[runs.length - 1];
          device.set({ playing: does !== 'pause', rate });
          if (plays && last && isRunning && does === 'play' && last.rate === rate) {
            last.ms += tensOfMs * 10;
          } else if (plays) {
            runs.push({ position, ms: tensOfMs * 10, rate });
          }
          isRunning = plays;
          for (let ms = tensOfMs * 10; ms > 0; ms -= 250) {
            device.pass(Math.min(ms, 250), plays ? undefined : 0);
          }
          if (plays) position += tensOfMs * 10 * rate;
        }
        device.set({ playing: false });

        // Each is rounded on its own.
        const near = (value: number) =>
          expect.toSatisfy((reported: number) => isNear(reported, value));
        expect(device.stretches).toEqual(
          runs.map((run) => ({
            at: expect.any(Number),
            position: near(run.position),
            playMs: near(run.ms),
            mediaMs: near(run.ms * Math.max(run.rate, 0)),
          })),
        );
      }),
    );
  });

  test('stretches do not overlap', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        const device = createDevice();
        for (const { does, ms } of deeds) {
          device.set({ playing: does !== 'pause' });
          device.pass(ms, does === 'stall' ? 0 : ms);
        }
        device.set({ playing: false });
        const ends = device.stretches.map(({ at, playMs }) => Number(at) + playMs);
        const starts = device.stretches.map(({ at }) => at);
        for (const [index, start] of starts.slice(1).entries()) {
          expect(start).toBeGreaterThanOrEqual(ends[index] as number);
        }
      }),
    );
  });
});

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1;

/** At the media's own pace, if no more is said. */
function stretchOf(at: number, playMs: number, position: number, mediaMs = playMs): Stretch {
  return { at, playMs, position, mediaMs };
}

function totalMs(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { playMs }) => sum + playMs, 0);
}
