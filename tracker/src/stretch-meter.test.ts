import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStretchMeter, type Stretch } from './stretch-meter.ts';

/** A viewer's device: a clock and a media element, both moved by hand. */
function createDevice(heartbeatMs = 10_000) {
  const reports: Stretch[] = [];
  const meter = createStretchMeter(heartbeatMs, (stretch) => {
    if (!stretches.includes(stretch)) stretches.push(stretch);
    reports.push({ ...stretch });
  });
  const stretches: Stretch[] = [];
  const state = { monotonicMs: 0, position: 0, rate: 1, playing: false };
  const look = (cut = false, due = false) =>
    meter.look({ ...state, dateMs: 1_000_000 + state.monotonicMs }, cut, due);

  return {
    reports,
    stretches,
    look,
    /** Lets time pass with a look at its end; the media advances for `advancingMs` of it. */
    pass(ms: number, advancingMs = ms) {
      state.monotonicMs += ms;
      state.position += (advancingMs * state.rate) / 1000;
      look();
    },
    set(change: Partial<typeof state>) {
      Object.assign(state, change);
      look();
    },
  };
}

describe('a stretch', () => {
  test('begins when the media first advances, not when play was asked for', () => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(3000, 0);
    device.pass(250, 200);
    expect(device.reports).toEqual([{ startedAtMs: 1_003_050, playMs: 200 }]);
  });

  test('is reported at once, then with every heartbeat, then at its end', () => {
    const device = createDevice(1000);
    device.set({ playing: true });
    for (let tick = 0; tick < 10; tick += 1) device.pass(250);
    device.set({ playing: false });
    expect(device.reports.map(({ playMs }) => playMs)).toEqual([250, 1250, 2250, 2500]);
    expect(device.stretches).toHaveLength(1);
  });

  test('ends with a pause, and playing on begins the next', () => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(4000);
    device.set({ playing: false });
    device.pass(60_000, 0);
    device.set({ playing: true });
    device.pass(2000);
    device.set({ playing: false });
    expect(device.stretches).toEqual([
      { startedAtMs: 1_000_000, playMs: 4000 },
      { startedAtMs: 1_064_000, playMs: 2000 },
    ]);
  });

  test('counts the clock, not the media, whatever the rate', () => {
    const device = createDevice();
    device.set({ playing: true, rate: 2 });
    device.pass(3000);
    device.set({ rate: 0.5 });
    device.pass(4000);
    device.set({ rate: -1 });
    device.pass(1000);
    device.set({ playing: false });
    expect(device.stretches).toEqual([{ startedAtMs: 1_000_000, playMs: 8000 }]);
  });

  test('ends where the media stands still unannounced', () => {
    const device = createDevice();
    device.set({ playing: true });
    device.pass(2000);
    for (let tick = 0; tick < 20; tick += 1) device.pass(250, 0);
    device.pass(500);
    device.set({ playing: false });
    expect(device.stretches.map(({ playMs }) => playMs)).toEqual([2000, 500]);
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
    expect(device.stretches).toEqual([{ startedAtMs: 1_000_000, playMs: 300_000 }]);
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
    device.set({ playing: false });
    expect(totalMs(device.stretches)).toBe(500);
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
        expect(total).toBeGreaterThan(advancedMs - 1 - device.stretches.length - jitters);
        for (const stretch of device.stretches) {
          const ownReports = device.reports.filter(
            (report) => report.startedAtMs === stretch.startedAtMs,
          );
          expect(ownReports.map(({ playMs }) => playMs)).toEqual(
            ownReports.map(({ playMs }) => playMs).sort((a, b) => a - b),
          );
        }
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
        const ends = device.stretches.map(({ startedAtMs, playMs }) => startedAtMs + playMs);
        const starts = device.stretches.map(({ startedAtMs }) => startedAtMs);
        for (const [index, start] of starts.slice(1).entries()) {
          expect(start).toBeGreaterThanOrEqual(ends[index] as number);
        }
      }),
    );
  });
});

function totalMs(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { playMs }) => sum + playMs, 0);
}
