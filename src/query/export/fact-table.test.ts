/** What files of raw facts have, as the real engine writes them. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { publishFilm } from '../../../test/support/collecting-events.ts';
import { factReaderOf } from '../../../test/support/fact-reader-of.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { type Fact, type FactReader, type RowFormat, tables } from '../../store/facts.ts';
import { noVerdicts } from '../../store/sql/verdicts.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { daysTouchedSince, daysWithFacts, writeFacts } from './fact-table.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2025, 11, 31);
const unusual = 'VIDEO:2025-12-31:1';
const viewOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

let catalog: Catalog;
let film: Awaited<ReturnType<typeof publishFilm>>;
let risky: { readonly packageId: number; readonly videoId: number; readonly accessKey: string };

function factOf(view: number, other: Partial<Fact> = {}): Fact {
  const { accountId, packageId, videoId } = film;
  return {
    ...{ accountId, packageId, videoId, slotStart: day, os: 'iOS', osVersion: '18' },
    ...{ view: viewOf(view), stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    ...other,
  };
}

const details = {
  ...{ startMs: day + 123, laterMs: 5, position: 0, mediaMs: 70, viewer: String(2n ** 63n + 5n) },
  attributes: { page: '=1+1', country: 'KR', referrer: ' \n-a', label1: '＠free', label2: '\tx' },
};

const made = useNewStore();
beforeAll(async () => {
  catalog = await openCatalogAlone();
  film = await publishFilm(catalog);
  const { accountId } = film;
  for (const name of ['plan', 'room']) accepted(await catalog.labels.create(accountId, name));
  const [folder] = await catalog.folders.list(accountId);
  const fields = { packageName: '=Site', packageType: 'VOD' as const, allowedOrigins: [] };
  const { packageId } = accepted(await catalog.packages.create(accountId, fields));
  const video = { folderId: folder?.folderId ?? 0, title: 'Another', accessKey: '-another' };
  const { videoId, accessKey } = accepted(await catalog.videos.create(accountId, video));
  risky = { packageId, videoId, accessKey };
  await made().write([
    factOf(4, { slotStart: day + slotMs, packageId: 77, videoId: 88, os: '+OS', osVersion: '' }),
    factOf(1, { details }),
    // More time than there is in a slot.
    factOf(2, { ...risky, playMs: 900_000 }),
    factOf(2, { ...risky, stretch: 1, plays: 0, playMs: 500_000 }),
    factOf(3, { suspect: unusual }),
    factOf(5, { suspect: 'ADDRESS:2025-12-31:2' }),
    factOf(6, { accountId: accountId + 1 }),
    factOf(7, { slotStart: day + dayMs, ceiling: { ms: 600, known: 1 } }),
  ]);
  // The same has grown.
  await made().write([factOf(1, { plays: 0, playMs: 60_000, details })]);
});
afterAll(() => catalog.close());

const ofDay = { fromMs: day, untilMs: day + dayMs };
const goesOn = new AbortController().signal;

const isAccepted = (): CurrentVerdicts => ({
  ...noVerdicts,
  accepted: [{ accountId: film.accountId, suspect: unusual }],
});

function writeOf(format: RowFormat, other: { span?: typeof ofDay; facts?: FactReader } = {}) {
  const { span = ofDay, facts = factReaderOf(made().store, isAccepted) } = other;
  return writeFacts(
    { facts, catalog },
    { accountId: film.accountId, span, format, signal: goesOn },
  );
}

async function rowsOf(other: Parameters<typeof writeOf>[1] = {}) {
  const { rows, bytes } = await writeOf('jsonl', other);
  const lines = (await text(bytes)).split('\n').slice(0, -1);
  expect(lines).toHaveLength(rows);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const unknown = {
  ...{ country: '', device: '', browser: '', browserVersion: '', host: '', page: '' },
  ...{ referrer: '', player: '', 'label.plan': '', 'label.room': '' },
  ...{ streamType: '', connection: '', quality: '', error: '', mediaHost: '' },
  ...{ waitMs: 0, cause: '', outcome: '', mediaBits: 0, frames: 0, droppedFrames: 0 },
};
const noDetails = { startedAt: null, laterMs: 0, position: null, mediaMs: 0, viewer: '' };

test('the facts of a day that count: merged, in order, with what the catalog knows of them', async () => {
  const rows = await rowsOf();
  const { packageId, accessKey: video } = film;
  const ofFilm = { package: packageId, packageName: 'P', video, os: 'iOS', osVersion: '18' };
  const slot = '2025-12-31T00:00:00.000Z';
  const ofRisky = { slot, ...ofFilm, package: risky.packageId, packageName: '=Site' };
  expect(rows).toEqual([
    {
      ...{ slot, ...ofFilm, view: viewOf(1), stretch: 0, plays: 1 },
      ...{ playMs: 60_000, countedMs: 60_000, startedAt: '2025-12-31T00:00:00.123Z', laterMs: 5 },
      ...{ position: 0, mediaMs: 70, viewer: details.viewer, ...unknown },
      ...{
        country: 'KR',
        referrer: ' \n-a',
        page: '=1+1',
        'label.plan': '＠free',
        'label.room': '\tx',
      },
    },
    {
      ...{ slot, ...ofFilm, view: viewOf(3), stretch: 0, plays: 1 },
      ...{ playMs: 1_000, countedMs: 1_000, ...noDetails, ...unknown },
    },
    {
      ...{ ...ofRisky, video: risky.accessKey, view: viewOf(2), stretch: 0, plays: 1 },
      ...{ playMs: 900_000, countedMs: 900_000, ...noDetails, ...unknown },
    },
    {
      ...{ ...ofRisky, video: risky.accessKey, view: viewOf(2), stretch: 1, plays: 0 },
      ...{ playMs: 500_000, countedMs: 0, ...noDetails, ...unknown },
    },
    {
      // What the catalog does not know.
      ...{ slot: '2025-12-31T00:15:00.000Z', package: 77, packageName: '', video: '' },
      ...{ os: '+OS', osVersion: 'Unknown', view: viewOf(4), stretch: 0, plays: 1 },
      ...{ playMs: 1_000, countedMs: 1_000, ...noDetails, ...unknown },
    },
  ]);
  expect(Object.keys(rows[0] ?? {}).slice(0, 8)).toEqual([
    ...['slot', 'package', 'packageName', 'video', 'os', 'osVersion', 'view', 'stretch'],
  ]);
});

test('a span begins and ends with a slot, below the ceilings of its facts', async () => {
  const next = { fromMs: day + dayMs, untilMs: day + dayMs + slotMs };
  expect(await rowsOf({ span: next })).toMatchObject([{ view: viewOf(7), playMs: 600 }]);
  expect(await rowsOf({ span: { fromMs: day + slotMs, untilMs: day + dayMs } })).toMatchObject([
    { view: viewOf(4) },
  ]);
  expect(await rowsOf({ span: { fromMs: 0, untilMs: day } })).toEqual([]);
});

test.each(['csv', 'csv without header'] as const)(
  'in %s no text is taken for a formula',
  async (format) => {
    const { bytes } = await writeOf(format);
    const written = await text(bytes);
    const cells = ["'=Site", "'-another", "'+OS", "'=1+1", "' \n-a", "'＠free", "'\tx", 'KR'];
    for (const cell of cells) expect(written).toContain(`,"${cell}",`.replace(/,$/, ''));
    expect(written.startsWith('"slot","package"')).toBe(format === 'csv');
    expect(written.trimEnd().split('\r\n')).toHaveLength(format === 'csv' ? 6 : 5);
  },
);

test('an erasure in between: written again, without what was erased', async () => {
  let verdicts = noVerdicts;
  const reader = factReaderOf(made().store, () => verdicts);
  const written: Awaited<ReturnType<FactReader['write']>>[] = [];
  const facts: FactReader = {
    ...reader,
    async write(...asked) {
      const one = await reader.write(...asked);
      written.push(one);
      const target = { accountId: film.accountId, kind: 'views', viewer: '' } as const;
      const ofView = { views: [viewOf(1)], packageId: 0, videoId: 0, untilMs: 0, receipt: 'r' };
      verdicts = {
        ...noVerdicts,
        epochs: new Map([[film.accountId, 1]]),
        erasures: {
          open: [{ ...target, ...ofView, state: 'deleting' }],
          ...{ keptSince: new Map(), accounts: new Set([film.accountId]) },
        },
      };
      return one;
    },
  };
  const rows = await rowsOf({ facts });
  expect(rows.map(({ view }) => view)).toEqual([viewOf(2), viewOf(2), viewOf(4)]);
  expect(written.map(({ bytes }) => bytes.destroyed)).toEqual([true, true]);
  expect(written[0]?.rows).toBe(4);
});

test('what is interrupted is not written', async () => {
  const ended = AbortSignal.abort(new Error('interrupted, as the test said'));
  const facts = factReaderOf(made().store);
  const asked = { accountId: film.accountId, span: ofDay, format: 'csv', signal: ended } as const;
  await expect(writeFacts({ facts, catalog }, asked)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    cause: ended.reason,
  });
});

test('the days of an account that have facts', async () => {
  const facts = factReaderOf(made().store);
  const days = (fromMs: number, untilMs: number) =>
    daysWithFacts(facts, film.accountId, { fromMs, untilMs });
  expect(await days(0, 2 * day)).toEqual([day, day + dayMs]);
  expect(await days(day + slotMs, day + dayMs)).toEqual([day]);
  expect(await days(day + dayMs + slotMs, 2 * day)).toEqual([]);
});

test('the days into which facts came since an instant, and what the store calls now', async () => {
  await made().forgetRollUps();
  const atMs = Date.UTC(2026, 10, 21, 12);
  const note = (arrivalMs: number, accountId: number, slotMs: number) =>
    made().run(
      `INSERT INTO ${tables.touched.name} (arrival, accountId, slot)
        SELECT fromUnixTimestamp64Milli({arrivalMs:Int64}), {accountId:UInt32}, {slot:UInt32}`,
      { arrivalMs, accountId, slot: slotMs / 1_000 },
    );
  await note(atMs - 1, 1, day - dayMs);
  await note(atMs, 1, day + slotMs);
  await note(atMs + 5, 1, day + 2 * slotMs);
  await note(atMs + 5, 2, day + dayMs);
  const facts = factReaderOf(made().store);
  const { days, storeNowMs } = await daysTouchedSince(facts, atMs);
  expect(days.toSorted((one, other) => one.day - other.day)).toEqual([
    { accountId: 1, day },
    { accountId: 2, day: day + dayMs },
  ]);
  const [clock] = await made().rows<{ now: number }>(
    'SELECT toUnixTimestamp64Milli(now64(3)) AS now',
  );
  expect(storeNowMs).toBeLessThanOrEqual(clock?.now ?? 0);
  expect(storeNowMs).toBeGreaterThan((clock?.now ?? 0) - dayMs);
  expect((await daysTouchedSince(facts, atMs + 6)).days).toEqual([]);
});
