/** Random viewers: beacons as players send them, and the ways in which a network delivers them. */
import fc from 'fast-check';
import type { StretchBeacon } from './reported.ts';
import { membersOf, type Reported } from './reported.ts';

/** One stretch of a view, with the values of playMs that its heartbeats carried. */
export interface PlannedStretch {
  readonly view: string;
  readonly stretch: number;
  readonly atMs: number;
  readonly heartbeats: readonly number[];
  /** Which of the world's publications and which of its systems. */
  readonly publication: number;
  readonly system: number;
  readonly reported?: Reported | undefined;
}

/** Instants at which clocks change or dates begin somewhere; stretches begin near them. */
export const delicateInstants = (
  [
    ['2026-03-08T07:00:00Z', 'America/New_York'], // springs forward
    ['2026-11-01T06:00:00Z', 'America/New_York'], // falls back
    ['2026-03-08T05:00:00Z', 'America/New_York'], // midnight of these days
    ['2026-11-01T04:00:00Z', 'America/New_York'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe'], // springs forward by half an hour
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe'], // falls back
    ['2026-02-28T15:00:00Z', 'Asia/Seoul'], // midnight
    ['2026-02-28T18:15:00Z', 'Asia/Kathmandu'], // midnight
    ['2026-09-20T02:00:00Z', 'Africa/Casablanca'], // summer time ends for good, in new rules only
    ['2011-12-30T10:00:00Z', 'Pacific/Apia'], // from the 29th to the 31st
    ['2021-04-03T14:00:00Z', 'Pacific/Apia'], // falls back for the last time
    ['2025-12-31T23:59:00Z', 'UTC'],
  ] as const
).map(([text, zone]) => ({ instantMs: Date.parse(text), zone }));

export const zones = [
  'UTC',
  'Asia/Seoul',
  'Asia/Kathmandu',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const;

export const systems = [
  { userAgent: '(iPhone14,2; iOS 17.4) App/1.2', name: 'iOS', version: '17.4' },
  { userAgent: '(iPhone12,1; iOS 9.3) App/1.2', name: 'iOS', version: '9.3' },
  { userAgent: '(iPhone12,1; iOS 10) App/1.2', name: 'iOS', version: '10' },
  { userAgent: '(SM-G991N; Android 14) App/1.2', name: 'Android', version: '14' },
  { userAgent: '(SM-G950N; Android 9) App/1.2', name: 'Android', version: '9' },
  { platform: 'Windows', platformVersion: '15.0.0', name: 'Windows', version: '11' },
  { userAgent: 'nothing known', name: 'Unknown', version: 'Unknown' },
] as const;

const hourMs = 3_600_000;

const atMs = fc
  .tuple(fc.constantFrom(...delicateInstants), fc.integer({ min: -2 * hourMs, max: 2 * hourMs }))
  .map(([{ instantMs }, offset]) => instantMs + offset);

const playMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 120_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 4 * hourMs }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 999, 900_000, 24 * hourMs) },
);

export function plannedStretches(publications: number, maxViews: number) {
  const stretch = fc.record({
    stretch: fc.integer({ min: 0, max: 3 }),
    atMs,
    heartbeats: fc.array(playMs, { minLength: 1, maxLength: 4, size: 'max' }),
  });
  const view = fc.record({
    publication: fc.nat(publications - 1),
    system: fc.nat(systems.length - 1),
    stretches: fc.uniqueArray(stretch, {
      minLength: 1,
      maxLength: 4,
      selector: (one) => one.stretch,
    }),
  });
  return fc
    .array(view, { minLength: 1, maxLength: maxViews, size: 'max' })
    .map((views) =>
      views.flatMap(({ publication, system, stretches }, index) =>
        stretches.map(
          (one): PlannedStretch => ({ ...one, view: `view-${index}`, publication, system }),
        ),
      ),
    );
}

/** All beacons of a stretch, one a heartbeat; what they are about is put on by the caller. */
export function beaconsOf(planned: PlannedStretch, about: Partial<StretchBeacon>): StretchBeacon[] {
  const { view, stretch, atMs: startMs, heartbeats, reported } = planned;
  const at = new Date(startMs).toISOString();
  return heartbeats.map((playMs, index) => ({
    ...{ view, stretch, at, playMs, ...about },
    ...(reported && membersOf(reported, playMs, index)),
  }));
}

/** Cuts a list into batches, in order. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let from = 0; from < items.length; from += size) {
    batches.push(items.slice(from, from + size));
  }
  return batches;
}
