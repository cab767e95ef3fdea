/**
 * The longest lists that a question may have: few statements of the catalog, each in a turn of the
 * event loop of its own, whatever the dimension. SQLite answers in the service's own thread.
 */
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { nextTurn } from '../../src/lib/tasks/fair-turns.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { filterConditions } from '../../src/query/labels/filter-conditions.ts';
import { dimensionOfCaption, readFilters } from '../../src/query/parse/filter-parser.ts';
import { named } from '../../src/query/plan/played-videos.ts';
import { audienceDimension, recordedDimensions } from '../../src/vocabulary/dimensions.ts';
import {
  filtersParameter,
  mostConditions,
  mostValues,
} from '../../src/wire/questions/question-parameters.ts';
import { addLibrary, catalogStores, type Library } from '../support/catalogs.ts';
import { countTurns } from '../support/count-turns.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const { maxLength = 0 } = filtersParameter as { readonly maxLength?: number };
/** Keys of all videos that one question can name, 500 a statement; names of videos and folders. */
const mostStatements = 10;
const videoCount = 1_200;

const names = [...recordedDimensions, 'label.course', ...dimensionOfCaption.keys()];

describeKinds(catalogStores(), 'the longest lists on $name', (store) => {
  /** The turn in which each statement of the catalog began. */
  let turns: number[] = [];
  let catalog: Catalog;
  let library: Library;
  let videoIds: readonly number[];
  const counting = countTurns();
  /** Of this catalog alone: services of other files may work in this process. */
  const noteTurn = (database: unknown) => {
    if (nameOf(database) === own) turns.push(counting.turn());
  };
  let own = '';
  let stopNoting: readonly (() => void)[] = [];

  beforeAll(async () => {
    const { location, catalog: filling } = await store.startWithCatalog();
    library = await addLibrary(filling);
    const { accountId, folderId } = library;
    videoIds = await addVideos(filling, accountId, folderId);
    own =
      'sqliteFile' in location
        ? location.sqliteFile
        : new URL(location.databaseUrl).pathname.slice(1);
    catalog = await openCatalog({ location, clock: manualClock() });
    stopNoting = [
      noteCalls(sqliteStatement(), 'all', noteTurn),
      noteCalls(Client.prototype, 'query', noteTurn),
    ];
  });
  afterAll(async () => {
    counting.stop();
    for (const stop of stopNoting) stop();
    await catalog.close();
    await store.stop();
  });

  async function conditionsOf(text: string) {
    const { accountId, packageId } = library;
    const filters = readFilters(text, new Map([['course', 1]]));
    if (!filters.ok) throw new Error(filters.reason);
    turns = [];
    const conditions = await filterConditions(filters.value, {
      accountId,
      clock: [{ sinceMs: 0, offsetMs: 0 }],
      labels: new Map([['course', 1]]),
      publications: catalog.publications,
      playedVideos: () => named((some) => catalog.videos.known(accountId, some), videoIds),
      playedPackages: () => named((some) => catalog.names.packages(accountId, some), [packageId]),
      folderNames: (ids) => named((some) => catalog.names.folders(accountId, some), ids),
    });
    await nextTurn();
    return conditions;
  }

  test.each(names.flatMap((name) => ['==', '!=', '=@', '!@'].map((operator) => [name, operator])))(
    '%s%s',
    async (name = '', operator = '') => {
      const conditions = Array.from({ length: mostConditions }, (_, index) => {
        const values = operator.includes('@') ? ['a'] : valuesOf(name, index);
        return name + operator + values.join(',');
      });
      const text = conditions.join(';');
      expect(text.length).toBeLessThanOrEqual(maxLength);
      const { sql } = await conditionsOf(text);
      expect(sql).toHaveLength(mostConditions);
      expect(turns.length).toBeLessThanOrEqual(mostStatements);
      expect(new Set(turns).size).toBe(turns.length);
    },
  );

  test('keys are found, wherever in the list they are', async () => {
    const keys = Array.from({ length: mostValues }, (_, index) => `none${index}`);
    keys[0] = 'v0';
    keys[99] = 'v7';
    const { parameters } = await conditionsOf(`video==${keys.join(',')};video!=v9`);
    expect(parameters).toEqual({
      filter0Part0: [videoIds[0], videoIds[7]],
      filter1Part0: [videoIds[9]],
    });
  });

  test('of a list as long as an import has, a portion a statement', async () => {
    const keys = Array.from({ length: 1_200 }, (_, index) => `v${index}`);
    turns = [];
    const found = await catalog.publications.findVideoIds(library.accountId, new Set(keys));
    await nextTurn();
    expect(keys.map((key) => found.get(key))).toEqual(videoIds);
    expect(turns).toHaveLength(3);
    expect(new Set(turns).size).toBe(3);
  });
});

/** Of one condition, each other than those of the others as far as a filter has room for them. */
function valuesOf(name: string, condition: number): string[] {
  const dimension = name.replace('label.course', 'page');
  if (dimensionOfCaption.has(dimension)) return numbered('t', condition);
  const { values, form, example } = audienceDimension(dimension as 'page');
  if (values) return Array.from({ length: mostValues }, () => values[0] as string);
  if (form) {
    // A filter has no room for more of the longest.
    const most = Math.floor(maxLength / mostConditions / (String(example).length + 1)) - 1;
    return Array.from({ length: Math.min(mostValues, most) }, () => String(example));
  }
  return numbered('v', condition);
}

const numbered = (letter: string, condition: number) =>
  Array.from({ length: mostValues }, (_, index) => letter + (condition * mostValues + index));

async function addVideos(catalog: Catalog, accountId: number, folderId: number) {
  const videoIds: number[] = [];
  for (let start = 0; start < videoCount; start += 600) {
    const videos = Array.from({ length: 600 }, (_, index) => ({
      folderId,
      title: `t${start + index}`,
      accessKey: `v${start + index}`,
    }));
    const put = await catalog.videos.putMany(accountId, videos);
    videoIds.push(...put.map((one) => accepted(one).videoId));
  }
  return videoIds;
}

/** What all statements of SQLite inherit: they are prepared once, and run often. */
function sqliteStatement(): object {
  const database = new BetterSqlite3(':memory:');
  const statement = Object.getPrototypeOf(database.prepare('select 1'));
  database.close();
  return statement;
}

/** Whatever is called goes on as before; returns what ends the noting. */
function noteCalls(
  prototype: object,
  method: string,
  note: (database: unknown) => void,
): () => void {
  const called = Reflect.get(prototype, method);
  Reflect.set(prototype, method, function noted(this: { database: unknown }, ...values: unknown[]) {
    note(this.database);
    return called.apply(this, values);
  });
  return () => void Reflect.set(prototype, method, called);
}

/** A statement of SQLite knows its database, a client of PostgreSQL the name of its own. */
function nameOf(database: unknown): string {
  return database instanceof BetterSqlite3 ? database.name : String(database);
}
