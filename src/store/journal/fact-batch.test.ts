import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { countTurns } from '../../../test/support/count-turns.ts';
import {
  waitCauseNames,
  waitCauses,
  waitOutcomeNames,
  waitOutcomes,
} from '../../vocabulary/waits.ts';
import { detailColumns, type Fact, slotMs } from '../facts.ts';
import { toldColumnNames, toldDetail, toldFactValue, toldSystem } from '../tables/audience.ts';
import {
  batchOfRows,
  createFilledSoFar,
  encodeFacts,
  encodeInPortions,
  type FactBatch,
  factColumns,
  joinBatches,
} from './fact-batch.ts';

const toldDetails = toldColumnNames.filter((name) => name !== 'toldSystem');

const anyDetails = fc.record({
  startMs: fc.nat(),
  laterMs: fc.nat(),
  position: fc.option(fc.maxSafeNat(), { nil: undefined }),
  mediaMs: fc.nat(),
  viewer: fc.option(fc.bigInt(0n, 2n ** 64n - 1n).map(String), { nil: undefined }),
  attributes: fc.record({ country: fc.string(), page: fc.string() }, { requiredKeys: [] }),
});
const whole = {
  accountId: fc.nat(),
  slotStart: fc.nat(100_000).map((slot) => slot * slotMs),
  packageId: fc.nat(),
  videoId: fc.nat(),
  os: fc.string({ unit: anyCharacter }),
  osVersion: fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '\\', 'n', ' ', '') }),
  view: fc.uuid(),
  stretch: fc.nat(),
  suspect: fc.string(),
  plays: fc.constantFrom(0, 1),
  playMs: fc.nat(),
  details: anyDetails,
};
const anyCeiling = fc.record({ ms: fc.nat(900_000), known: fc.integer({ min: 1, max: 20_000 }) });
const anyFact = fc.oneof(fc.record(whole), fc.record({ ...whole, ceiling: anyCeiling }));
const anyFacts = fc.array(anyFact);

test('rows that were kept make the same batch again', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const batch = encodeFacts(facts);
      expect(batchOfRows(batch.columns, batch.rows)).toEqual(batch);
      const slots = facts.map(({ accountId, slotStart }) => [accountId, slotStart / 1_000].join());
      const noted = [...batch.slots].map((slot) => slot.split('\t').map(Number).join());
      expect(new Set(noted)).toEqual(new Set(slots));
    }),
  );
});

/** Of few values, so that neighbours have some in common. */
const pages = [{}, { page: 'a\tb' }, { page: 'c', country: 'KR' }];
const anyNeighbour = fc.record(
  {
    accountId: fc.constantFrom(1, 2),
    slotStart: fc.constantFrom(0, slotMs),
    ...{ packageId: fc.nat(3), videoId: fc.nat(3), view: fc.uuid(), stretch: fc.nat(3) },
    ...{ os: fc.constantFrom('iOS', 'a\\b'), osVersion: fc.constantFrom('', '18\n', '26\r') },
    ...{ suspect: fc.constantFrom('', 'VIDEO'), plays: fc.constantFrom(0, 1), playMs: fc.nat(9) },
    ceiling: fc.record({ ms: fc.nat(9), known: fc.integer({ min: 1, max: 9 }) }),
    details: fc.record({
      ...{ startMs: fc.nat(9), laterMs: fc.nat(9), mediaMs: fc.nat(9) },
      position: fc.constantFrom(undefined, 0, 1, 7),
      viewer: fc.constantFrom(undefined, '5'),
      attributes: fc.constantFrom(...pages),
    }),
    quality: fc.record(
      {
        ...{ mediaBits: fc.nat(9), frames: fc.nat(9), droppedFrames: fc.nat(9) },
        mediaHost: fc.constantFrom('cdn1.example', 'Other'),
        wait: fc.record({
          cause: fc.constantFrom(...waitCauseNames),
          outcome: fc.constantFrom(...waitOutcomeNames),
          waitMs: fc.nat(9),
          error: fc.constantFrom(undefined, '3016', 'Other'),
        }),
      },
      { requiredKeys: [] },
    ),
  },
  {
    requiredKeys: [
      ...(['accountId', 'slotStart', 'packageId', 'videoId', 'view', 'stretch'] as const),
      ...(['os', 'osVersion', 'suspect', 'plays', 'playMs'] as const),
    ],
  },
);

const written: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
const textIn = (cell: string) =>
  cell.replace(/\\([\\tnr])/g, (_, letter: string) => written[letter] ?? '');

test('each row has the values of its fact, whatever its neighbours have', () => {
  fc.assert(
    fc.property(fc.array(anyNeighbour), (facts) => {
      const { columns, rows } = encodeFacts(facts);
      const lines = rows.toString().split('\n').slice(0, -1);
      const read = lines.map((line) => {
        const cells = line.split('\t').map(textIn);
        return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
      });
      expect(read).toEqual(
        facts.map(({ slotStart, ceiling, details, quality = {}, os, osVersion, ...own }) => {
          const { startMs = 0, laterMs = 0, mediaMs = 0, viewer: toldViewer = 0 } = details ?? {};
          const texts = Object.entries({ ...own, startMs, laterMs, mediaMs, toldViewer });
          return {
            ...Object.fromEntries(columns.map((column) => [column, ''])),
            ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
            slot: String(slotStart / 1_000).padStart(10, '0'),
            ceiling: String(ceiling ? ceiling.known * 4_294_967_296 + ceiling.ms : 0),
            position: String(details?.position === undefined ? 0 : details.position + 1),
            toldSystem: toldSystem(os, osVersion),
            waitMs: String(quality.wait?.waitMs ?? 0),
            cause: String(quality.wait ? waitCauses[quality.wait.cause] : 0),
            outcome: String(quality.wait ? waitOutcomes[quality.wait.outcome] : 0),
            mediaBits: String(quality.mediaBits ?? 0),
            frames: String(quality.frames ?? 0),
            droppedFrames: String(quality.droppedFrames ?? 0),
            toldMediaHost: toldFactValue(quality.mediaHost),
            toldError: toldFactValue(quality.wait?.error),
            ...Object.fromEntries(
              toldDetails.map((name) => [name, toldDetail(name, details?.attributes ?? {})]),
            ),
          };
        }),
      );
    }),
  );
});

test('rows of other columns are not joined', () => {
  const rows = Buffer.from('7\t0000000900\tx\n');
  expect(() => batchOfRows(['slot'], rows)).toThrow('name their account and slot');
  expect(() => batchOfRows(['accountId'], rows)).toThrow('name their account and slot');
  expect(() => joinBatches([encodeFacts([]), encodeFacts([], [])])).toThrow('the same columns');
});

test('batches together are the batch of all their facts', () => {
  fc.assert(
    fc.property(fc.array(anyFacts), (groups) => {
      expect(joinBatches(groups.map((facts) => encodeFacts(facts)))).toEqual(
        encodeFacts(groups.flat()),
      );
    }),
  );
});

/** What a row has no column for is empty. */
function valuesOf({ columns, rows }: FactBatch): string[][] {
  const lines = rows.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const values = line.split('\t');
    expect(values).toHaveLength(columns.length);
    return factColumns.map((column) => values[columns.indexOf(column)] ?? left(column));
  });
}

/** What the store takes a column for that was left out. */
const left = (column: string) => (numbersOfQuality.includes(column) ? '0' : '');
const numbersOfQuality = [
  ...['waitMs', 'cause', 'outcome'],
  ...['mediaBits', 'frames', 'droppedFrames'],
];

test('only columns that some fact has filled are written, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFacts), async (groups) => {
      const filledSoFar = createFilledSoFar();
      const needed = new Set<string>();
      for (const facts of groups) {
        const batch = await encodeInPortions(facts, filledSoFar);
        expect(valuesOf(batch)).toEqual(valuesOf(encodeFacts(facts)));
        for (const { suspect, details } of facts) {
          if (suspect !== '') needed.add('suspect');
          const filled = toldDetails.filter((name) => toldDetail(name, details.attributes) !== '');
          for (const column of filled) needed.add(column);
        }
        const few = ['suspect', 'toldCountry', 'toldPage', 'toldLabel10'];
        expect(few.filter((column) => batch.columns.includes(column))).toEqual(
          few.filter((column) => needed.has(column)),
        );
      }
    }),
  );
});

test('of columns that are filled one after another, or all at once, none is forgotten', () => {
  const [plain] = fc.sample(fc.record({ ...whole, suspect: fc.constant('') }), 1);
  const telling = (attributes: object, suspect = '') =>
    ({ ...plain, suspect, details: { ...plain?.details, attributes } }) as Fact;
  const filledSoFar = createFilledSoFar();
  expect(filledSoFar.with([telling({})])).toEqual([]);
  expect(filledSoFar.with([telling({ page: '/' })])).toEqual(['toldPage']);
  expect(filledSoFar.with([telling({ country: 'KR' })])).toEqual(['toldCountry', 'toldPage']);
  const all = {
    ...Object.fromEntries(detailColumns.map((column) => [column, 'x'])),
    connection: '4g',
  };
  expect(filledSoFar.with([telling(all)])).toEqual(toldDetails);
  const columns = ['suspect', ...toldDetails];
  expect(createFilledSoFar().with([telling(all, 'VIDEO')])).toEqual(columns);
  expect(filledSoFar.with([telling({}, 'VIDEO')])).toEqual(columns);
  const ofQuality = [...numbersOfQuality, 'toldMediaHost', 'toldError'];
  const played = { ...telling({}), quality: { frames: 1 } };
  expect(filledSoFar.with([played])).toEqual([...columns, ...ofQuality]);
  expect(createFilledSoFar().with([played])).toEqual(ofQuality);
});

test('facts of many portions have the columns of all of them', async () => {
  const [plain] = fc.sample(fc.record({ ...whole, suspect: fc.constant('') }), 1);
  const telling = (attributes: object) => ({
    ...plain,
    details: { ...plain?.details, attributes },
  });
  const facts = Array(2_500)
    .fill(telling({}))
    .with(2_400, telling({ player: 'x' }));
  const { turn, stop } = countTurns();
  const batch = await encodeInPortions(facts, createFilledSoFar());
  stop();
  expect(valuesOf(batch)).toEqual(valuesOf(encodeFacts(facts)));
  expect(batch.columns).toEqual(encodeFacts([], ['toldPlayer']).columns);
  // Between portions everything else has its turn.
  expect(turn()).toBeGreaterThan(2);
});

test('every row has every column', () => {
  fc.assert(
    fc.property(anyFact, ({ details, ...fact }) => {
      const rows = encodeFacts([fact, { ...fact, details }])
        .rows.toString()
        .split('\n');
      const counts = rows.slice(0, -1).map((row) => row.split('\t').length);
      expect(counts).toEqual([factColumns.length, factColumns.length]);
    }),
  );
});
