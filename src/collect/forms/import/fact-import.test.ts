/** Raw facts of an export come back: what is taken as it is, what is looked up, what is refused. */
import { expect, test } from 'vitest';
import type { EventCollecting } from '../../../../test/support/collecting-events.ts';
import type { ManualClock } from '../../../../test/support/manual-clock.ts';
import { type Film, useFilm } from '../../../../test/support/use-film.ts';
import { valuesOfFacts } from '../../../../test/support/value-store.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { type Fact, slotMs } from '../../../store/facts.ts';
import type { ExportedFact } from '../../../wire/beacons/exported-fact.ts';
import { createCollector } from '../../collector.ts';
import { createDimensionLimits } from '../../dimension-limits/dimension-limits.ts';
import { aheadMs } from '../../steps/time-step.ts';
import { collectImported, createFactImport, type FactImport } from './fact-import.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const view = '00000000-0000-4000-8000-000000000001';
const names = {
  ...{ country: 'KR', device: 'phone', browser: 'Chrome', browserVersion: '140' },
  ...{ host: 'a.example', page: '/1', referrer: 'b.example', player: 'own' },
};

let catalog: Catalog;
let clock: ManualClock;
let film: Film;
let collecting: EventCollecting;
let facts: FactImport;
/** What was asked of the catalog. */
let asked: { videos: string[]; used: number[][]; packages: number };

useFilm({ startMs }, (scene) => {
  ({ catalog, clock, film, collecting } = scene);
  asked = { videos: [], used: [], packages: 0 };
  facts = createFactImport({ ...collecting.parts, catalog: recorded(catalog) });
});

function recorded({ publications, packages, labels, ...others }: Catalog): Catalog {
  return {
    ...others,
    publications: {
      ...publications,
      findVideoIds(accountId, keys) {
        asked.videos.push(...keys);
        return publications.findVideoIds(accountId, keys);
      },
    },
    packages: {
      ...packages,
      list(accountId) {
        asked.packages += 1;
        return packages.list(accountId);
      },
    },
    labels: {
      ...labels,
      markUsed(labelIds) {
        asked.used.push([...labelIds]);
        return labels.markUsed(labelIds);
      },
    },
  };
}

const factOf = (fields: Partial<ExportedFact> | Record<string, unknown> = {}) => ({
  ...{ slot: new Date(startMs).toISOString(), packageName: 'P', video: film.accessKey },
  ...{ os: 'iOS', osVersion: '17', view, stretch: 3, plays: 1, playMs: 5_000 },
  ...{ startedAt: new Date(startMs + 7).toISOString(), laterMs: 8, position: 9, mediaMs: 10 },
  ...{ viewer: '18446744073709551615', ...names, ...fields },
});
const collect = (...received: readonly unknown[]) => facts.collect(received, film.accountId);
const written = () => collecting.facts.written.flat();
const declare = async (name: string) => accepted(await catalog.labels.create(film.accountId, name));

test('a fact is stored as it says, under the numbers that the catalog has', async () => {
  const { number } = await declare('course');
  const faces = '\u{1F600}'.repeat(64);
  const labels = { 'label.course': faces, 'label.never declared': '' };
  expect(await collect(factOf(labels))).toEqual({ accepted: 1, rejected: [], erased: 0 });
  const { accountId, packageId, videoId } = film;
  expect(written()).toEqual([
    {
      ...{ accountId, slotStart: startMs, packageId, videoId, os: 'iOS', osVersion: '17' },
      ...{ view, stretch: 3, suspect: '', plays: 1, playMs: 5_000 },
      details: {
        ...{ startMs: startMs + 7, laterMs: 8, position: 9, mediaMs: 10 },
        viewer: '18446744073709551615',
        attributes: { ...names, [`label${number}`]: faces },
      },
    },
  ]);
});

test('what a fact does not know is not made up', async () => {
  await collect(factOf({ startedAt: null, position: null, viewer: '' }));
  const details = { startMs: 0, position: undefined, viewer: undefined };
  expect(written()).toMatchObject([{ details }]);
});

const at = (ms: number) => new Date(ms).toISOString();

test.each([
  ['the first slot that can be', { slot: at(slotMs), startedAt: null }],
  ['a slot that begins soon', { slot: at(startMs + slotMs) }],
  ['a stretch that begins as its slot ends', { startedAt: at(startMs + slotMs - 1) }],
])('%s is taken', async (_name, fields) => {
  clock.set(startMs + slotMs - aheadMs);
  expect(await collect(factOf(fields))).toEqual({ accepted: 1, rejected: [], erased: 0 });
});

test.each<[object, string, string]>([
  [{ slot: 'today' }, 'INVALID_BEACON', 'slot: must be the start of a quarter of an hour'],
  [{ slot: at(startMs + 1) }, 'INVALID_BEACON', 'slot: must be the start of a quarter of an hour'],
  [{ slot: at(0) }, 'INVALID_BEACON', 'slot: must be the start of a quarter of an hour'],
  [{ slot: at(startMs + slotMs) }, 'IN_FUTURE', 'slot: must not be in the future'],
  [
    { startedAt: 'then' },
    'INVALID_BEACON',
    'startedAt: must be an instant before the end of the slot',
  ],
  [
    { startedAt: at(startMs + slotMs) },
    'INVALID_BEACON',
    'startedAt: must be an instant before the end of the slot',
  ],
  [{ viewer: '18446744073709551616' }, 'INVALID_BEACON', 'viewer: is too large'],
  [{ viewer: 'me' }, 'INVALID_BEACON', 'viewer: must match pattern "^\\d{0,20}$"'],
  [{ stretch: -1 }, 'INVALID_BEACON', 'stretch: must be >= 0'],
  [{ stretch: undefined }, 'INVALID_BEACON', 'stretch: is required'],
  [
    { packageName: 'Q' },
    'UNKNOWN_VIDEO',
    'packageName: the account has no package with the name Q',
  ],
  [{ video: 'none' }, 'UNKNOWN_VIDEO', 'video: the account has no none'],
  [{ 'label.room': '1' }, 'INVALID_BEACON', 'label.room: the account has no such label'],
  [
    { 'label.course': 1 },
    'INVALID_BEACON',
    'label.course: must be text of 64 characters at most that can be shown',
  ],
  [
    { 'label.course': 'x'.repeat(65) },
    'INVALID_BEACON',
    'label.course: must be text of 64 characters at most that can be shown',
  ],
  [
    { 'label.course': '1\n' },
    'INVALID_BEACON',
    'label.course: must be text of 64 characters at most that can be shown',
  ],
])('%j is refused', async (fields, code, detail) => {
  clock.set(startMs + slotMs - aheadMs - 1);
  await declare('course');
  const received = JSON.parse(JSON.stringify([factOf(), factOf(fields), factOf()]));
  expect(await collect(...received)).toEqual({
    accepted: 2,
    rejected: [{ index: 1, code, detail }],
    erased: 0,
  });
  expect(written()).toHaveLength(2);
});

test('a name that several packages have is none of theirs', async () => {
  const fields = { packageName: 'P', packageType: 'VOD' as const };
  accepted(await catalog.packages.create(film.accountId, fields));
  const detail = 'packageName: the account has several packages with the name P';
  const rejected = [{ index: 0, code: 'UNKNOWN_VIDEO', detail }];
  expect(await collect(factOf())).toEqual({ accepted: 0, rejected, erased: 0 });
});

test('a label is marked as used before its first value is kept, and not again', async () => {
  const { labelId } = await declare('course');
  await declare('lesson');
  const labelled = factOf({ 'label.course': 'a', 'label.room': '1', 'label.lesson': '' });
  await collect(factOf());
  expect(asked.used).toEqual([]);
  await collect(labelled, labelled);
  await collect(labelled);
  expect(asked.used).toEqual([[labelId]]);
});

test('the catalog is asked about each video once', async () => {
  await collect(factOf(), factOf(), factOf({ video: 'none' }), { video: 'of no fact' });
  expect(asked.videos).toEqual([film.accessKey, 'none']);
});

test('values beyond the bound of their day are Other', async () => {
  const values = createDimensionLimits({
    ...{ store: valuesOfFacts(collecting.facts.written), clock },
    ...{ versionsPerDay: 1, valuesPerDay: 1, valuesByAddress: 1, logger: { warn() {} } },
  });
  facts = createFactImport({ ...collecting.parts, catalog, values });
  await collect(factOf(), factOf({ osVersion: '18' }));
  expect(written().map(({ osVersion }) => osVersion)).toEqual(['17', 'Other']);
});

test('what was erased before is accepted, left out and counted', async () => {
  const erased = async (asked: readonly Fact[]) =>
    new Set(asked.filter(({ slotStart }) => slotStart < startMs));
  facts = createFactImport({ ...collecting.parts, catalog, erased });
  const older = factOf({ slot: at(startMs - slotMs), startedAt: null });
  expect(await collect(older, factOf(), older)).toEqual({ accepted: 3, rejected: [], erased: 2 });
  expect(written()).toHaveLength(1);
});

test('nothing is accepted that is not durable', async () => {
  collecting.facts.failNext(1);
  await expect(collect(factOf())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('lines of an import are beacons or facts, and each is refused by its place', async () => {
  const collector = createCollector(collecting.parts);
  const beacon = {
    ...{ view: 'v', stretch: 0, at: at(startMs), playMs: 1_000 },
    ...{ accessKey: film.accessKey, packageId: film.packageId, userAgent: 'TV/1' },
  };
  const take = (...received: readonly unknown[]) =>
    collectImported({ collector, facts }, received, film.accountId);
  expect(await take(beacon)).toEqual({ accepted: 1, rejected: [], erased: 0 });
  expect(asked.packages).toBe(0);
  expect(await take(factOf())).toEqual({ accepted: 1, rejected: [], erased: 0 });
  expect(await collecting.counts()).toEqual({ received: 1, counted: 1 });
  const { accepted, rejected } = await take(
    ...[factOf({ video: 'none' }), beacon, null, factOf(), 'slot', undefined, { slot: 1 }],
  );
  expect(accepted).toBe(2);
  expect(rejected.map(({ index, code }) => [index, code])).toEqual([
    [2, 'INVALID_BEACON'],
    [4, 'INVALID_BEACON'],
    [5, 'INVALID_BEACON'],
    [0, 'UNKNOWN_VIDEO'],
    [6, 'INVALID_BEACON'],
  ]);
});

/** Each way accepts all but what says that it is bad, and says what it was given. */
function ways() {
  const taken: unknown[] = [];
  const take = (way: string) => async (lines: readonly unknown[], of: unknown) => {
    taken.push([way, lines, of]);
    const isBad = (line: unknown) => JSON.stringify(line)?.includes('bad') === true;
    const rejected = lines.flatMap((line, index) =>
      isBad(line) ? [{ index, code: 'INVALID_BEACON' as const, detail: way }] : [],
    );
    return { accepted: lines.length - rejected.length, rejected, erased: lines.length > 2 ? 3 : 1 };
  };
  const collectHistory = take('beacons');
  return { taken, collector: { collectHistory }, facts: { collect: take('facts') } };
}

test('beacons and facts go their own ways, and keep their places', async () => {
  const { taken, ...of } = ways();
  const lines = [{ slot: 1 }, { view: 'v' }, null, { slot: 'bad' }, 'slot', { view: 'bad' }];
  expect(await collectImported(of as never, lines, 7)).toEqual({
    accepted: 4,
    rejected: [
      { index: 5, code: 'INVALID_BEACON', detail: 'beacons' },
      { index: 3, code: 'INVALID_BEACON', detail: 'facts' },
    ],
    erased: 4,
  });
  expect(taken).toEqual([
    ['beacons', [{ view: 'v' }, null, 'slot', { view: 'bad' }], 7],
    ['facts', [{ slot: 1 }, { slot: 'bad' }], 7],
  ]);
});

test('a way that has no lines is not gone', async () => {
  const { taken, ...of } = ways();
  expect(await collectImported(of as never, [], 7)).toEqual({
    accepted: 0,
    rejected: [],
    erased: 0,
  });
  await collectImported(of as never, [{ slot: 1 }], 7);
  expect(taken).toEqual([['facts', [{ slot: 1 }], 7]]);
});
