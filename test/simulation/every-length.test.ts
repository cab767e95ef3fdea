/**
 * Stretches of every delicate length, from every delicate instant and a moment beside it: days and
 * hours are the oracle's in every zone, whatever its clocks do.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { allPages } from './ask.ts';
import { localTime } from './oracle.ts';
import { type AnyQuestion, everything, expectedRows } from './questions.ts';
import { delicateInstants, type PlannedStretch, zones } from './viewers.ts';
import { createWorld, type World } from './world.ts';

const slotMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lengthsMs = [
  ...[0, 1, 999, 1_000],
  ...[slotMs - 1, slotMs, slotMs + 1],
  ...[hourMs - 1, hourMs, hourMs + 1],
  ...[23 * hourMs, dayMs - 1, dayMs],
];
const offsetsMs = [-slotMs - 1, -1, 0, 1];

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startTestService();
  world = await createWorld(service, ['UTC']);
  const stretches = delicateInstants.flatMap(({ instantMs }) =>
    offsetsMs.flatMap((offsetMs) =>
      lengthsMs.map((lengthMs) => stretchOf(instantMs + offsetMs, lengthMs)),
    ),
  );
  await world.play(stretches);
  await service.facts.rollUp();
});
afterAll(() => service.stop());

for (const zone of zones)
  test(`in ${zone}`, { tags: 'long' }, async () => {
    const ranges = [
      { firstDay: '2011-12-28', lastDay: '2012-01-02' },
      { firstDay: '2021-01-01', lastDay: '2021-12-31' },
      { firstDay: '2025-12-30', lastDay: '2026-12-31' },
    ];
    const dates = ranges.map((range): AnyQuestion => ({ ...plain, kind: 'date', ...range, zone }));
    const hours = delicateDays(zone).map(
      (day): AnyQuestion => ({ ...plain, kind: 'hour', firstDay: day, lastDay: day, zone }),
    );
    for (const question of [...dates, ...hours]) {
      const rows = await allPages(question, world);
      expect(rows).not.toEqual([]);
      expect(rows).toEqual(expectedRows(question, world));
    }
  });

const plain = { ...everything, account: 0, direction: 'asc' } as const;

/** A view of its own, reported twice. */
function stretchOf(atMs: number, lengthMs: number): PlannedStretch {
  const heartbeats = [Math.floor(lengthMs / 2), lengthMs];
  return {
    view: `${atMs} ${lengthMs}`,
    stretch: 0,
    atMs,
    heartbeats,
    publication: 0,
    system: 0,
  };
}

/** The days in a zone around the instants that are delicate there. */
function delicateDays(zone: string): string[] {
  const instants = delicateInstants.filter((one) => one.zone === zone);
  const days = instants.flatMap(({ instantMs }) =>
    [-1, 0, dayMs].map((offsetMs) => localTime(instantMs + offsetMs, zone).date),
  );
  return [...new Set(days)];
}
