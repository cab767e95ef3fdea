import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStretchMeter } from './stretch-meter.ts';
import { createWaitMeter, rankOf, type Wait } from './wait-meter.ts';

const deed = fc.record({
  does: fc.constantFrom('play', 'dry', 'seek', 'pause', 'fail', 'leave', 'empty', 'byItself'),
  ms: fc.integer({ min: 1, max: 20_000 }),
});

test('whatever happens, a wait only grows, its outcome never goes back, and none overlap', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      const reports = new Map<Wait, Wait[]>();
      const stretches = createStretchMeter(10_000, () => {});
      const meter = createWaitMeter(10_000, (wait) => {
        reports.set(wait, [...(reports.get(wait) ?? []), { ...wait }]);
      });
      let monotonicMs = 0;
      let mediaSeconds = 0;
      for (const { does, ms } of deeds) {
        const playing = does === 'play' || does === 'leave';
        const about = { rate: 1, hasEnd: true, loopSeconds: 0, playing };
        const look = () => {
          const sight = {
            ...{ ...about, monotonicMs, mediaSeconds, dateMs: monotonicMs },
            ...{ wanted: does !== 'pause', sought: does === 'seek', dry: does === 'dry' },
            ...{ empty: does === 'empty', byItself: does === 'byItself' },
            error: does === 'fail' ? 'E' : undefined,
          };
          meter.look(sight, stretches.look(sight), does === 'leave');
        };
        look();
        monotonicMs += ms;
        if (playing) mediaSeconds += ms / 1000;
        look();
      }
      const last = [...reports.values()].map((told) => told.at(-1) as Wait);
      for (const told of reports.values()) {
        const times = told.map(({ waitMs }) => waitMs);
        const ranks = told.map(({ outcome }) => rankOf(outcome));
        expect([times, ranks]).toEqual([times, ranks].map((all) => all.toSorted((a, b) => a - b)));
      }
      for (const { cause, waitMs, error } of last) {
        expect(cause === 'stall' && !error && waitMs < 100).toBe(false);
      }
      const summedMs = last.reduce((sum, { waitMs }) => sum + waitMs, 0);
      expect(summedMs).toBeLessThanOrEqual(monotonicMs);
    }),
  );
});
