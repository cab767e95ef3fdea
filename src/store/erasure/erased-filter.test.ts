/** What is left out of what enters the store, row by row. */
import { beforeEach, expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { Fact } from '../facts.ts';
import { batchOfRows, encodeFacts } from '../journal/fact-batch.ts';
import { rememberVerdicts } from '../sql/verdicts.ts';
import { createErasedFilter, type ErasableRow, erasesNothing } from './erased-filter.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);
const view = '00000000-0000-0000-0000-000000000001';
const viewer = String(2n ** 63n + 7n);

let verdicts: CurrentVerdicts;
let failure: Fault | undefined;
/** What was erased of account 1, and until when. */
let until: Record<string, number>;
/** The names that were looked up. */
let lookedUp: { accountId: number; names: readonly string[] }[];
beforeEach(() => {
  verdicts = erasing(1);
  failure = undefined;
  until = {};
  lookedUp = [];
});

const erasing = (...accounts: number[]): CurrentVerdicts => ({
  ...{ accepted: [], epochs: new Map() },
  erasures: { open: [], keptSince: new Map(), accounts: new Set(accounts) },
});

const open = () => {
  const source = {
    async current() {
      if (failure) throw failure;
      return verdicts;
    },
  };
  return createErasedFilter(rememberVerdicts(source), {
    async erasedUntil(accountId, names) {
      lookedUp.push({ accountId, names });
      return new Map(accountId === 1 ? Object.entries(until) : []);
    },
  });
};

function factOf(other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId: 1, slotStart: day, packageId: 3, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view, stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    details: { startMs: 0, laterMs: 0, mediaMs: 0, viewer, attributes: {} },
    ...other,
  };
}

const rowOf = ({ details, ...fact }: Fact): ErasableRow => ({ ...fact, viewer: details?.viewer });

/** Every name of the fact, each until an instant: it is gone if its slot begins before. */
test.each([view, viewer, '3 11', '3 0', '0 11', '0 0'])('by its name %j', async (name) => {
  until = { [name]: day + 1 };
  const facts = [factOf(), factOf({ slotStart: day + slotMs }), factOf({ accountId: 2 })];
  const { erased, sieve } = open();
  const rows = facts.map(rowOf);
  expect(await erased(rows)).toEqual(new Set([rows[0]]));
  const kept = await sieve(encodeFacts(facts));
  expect(kept).toEqual(encodeFacts(facts.slice(1)));
  until = { [name]: day };
  expect(await erased(rows)).toEqual(new Set());
});

test.each<[string, ErasableRow, string[]]>([
  ['a fact', rowOf(factOf()), [view, viewer, '3 11', '3 0', '0 11', '0 0']],
  ['one of nobody', { ...rowOf(factOf()), viewer: '0' }, [view, '3 11', '3 0', '0 11', '0 0']],
  ['an event', { accountId: 1, view }, [view]],
  ['one without a video', { accountId: 1, view, packageId: 3 }, [view]],
  ['one without a package', { accountId: 1, view, videoId: 11 }, [view]],
])('the names of %s are looked up, each once', async (_, row, names) => {
  await open().erased([row, { ...row }]);
  expect(lookedUp).toEqual([{ accountId: 1, names }]);
});

test('events go with their views, whenever those were erased', async () => {
  until = { [view]: 1 };
  const event = { accountId: 1, view };
  expect(await open().erased([event])).toEqual(new Set([event]));
});

test('facts before the day since when an account keeps them', async () => {
  const keptSince = new Map([[1, day + dayMs]]);
  const accounts = new Set([1]);
  verdicts = { ...verdicts, erasures: { open: [], keptSince, accounts } };
  const [early, late] = [
    factOf({ slotStart: day + dayMs - slotMs }),
    factOf({ slotStart: day + dayMs }),
  ];
  const event = { accountId: 1, view };
  const rows = [rowOf(early), rowOf(late), event];
  const { erased, sieve } = open();
  expect(await erased(rows)).toEqual(new Set([rows[0]]));
  expect(await sieve(encodeFacts([early, late]))).toEqual(encodeFacts([late]));
  expect(await sieve(encodeFacts([early]))).toEqual(encodeFacts([]));
});

test('a batch of which nothing was erased stays as it is', async () => {
  const batch = encodeFacts([factOf()]);
  expect(await open().sieve(batch)).toBe(batch);
  expect(lookedUp).toHaveLength(1);
  const others = encodeFacts([factOf({ accountId: 2 }), factOf({ accountId: 11 })]);
  expect(await open().sieve(others)).toBe(others);
  verdicts = { accepted: [], epochs: new Map() };
  expect(await open().sieve(batch)).toBe(batch);
  expect(await open().erased([{ accountId: 1, view }])).toEqual(new Set());
  // Nobody had to look anything up.
  expect(lookedUp).toHaveLength(1);
});

test('rows without viewers, with columns in another order', async () => {
  until = { [viewer]: day + 1, '3 11': day + 1 };
  const columns = ['view', 'videoId', 'slot', 'packageId', 'accountId'];
  const row = (videoId: number) => `${view}\t${videoId}\t${day / 1_000}\t3\t1\n`;
  const batch = batchOfRows(columns, Buffer.from(row(11) + row(12)));
  const kept = await open().sieve(batch);
  expect(kept.rows.toString()).toBe(row(12));
  expect(kept).toEqual(batchOfRows(columns, Buffer.from(row(12))));
  expect(lookedUp[0]?.names).not.toContain('');
});

test('rows that begin with their viewer', async () => {
  until = { [viewer]: day + 1 };
  const columns = ['toldViewer', 'accountId', 'slot', 'view', 'packageId', 'videoId'];
  const row = `${viewer}\t1\t${day / 1_000}\t${view}\t3\t11\n`;
  expect((await open().sieve(batchOfRows(columns, Buffer.from(row)))).count).toBe(0);
});

test('rows whose time lies within a slot are of that slot', async () => {
  until = { '0 0': day + 1 };
  const columns = ['accountId', 'slot', 'view', 'packageId', 'videoId'];
  const row = `1\t${day / 1_000 + 899}\t${view}\t3\t11\n`;
  expect((await open().sieve(batchOfRows(columns, Buffer.from(row)))).count).toBe(0);
});

test('rows without a column that names them are no rows of facts', async () => {
  const columns = ['accountId', 'slot', 'view', 'packageId'];
  const batch = batchOfRows(columns, Buffer.from(`1\t${day / 1_000}\t${view}\t3\n`));
  await expect(open().sieve(batch)).rejects.toThrow('have the column videoId');
});

test('while erasures cannot be read the last ones hold', async () => {
  const away = new Fault('UNAVAILABLE', 'The catalog is away, as the test said');
  until = { [view]: 1 };
  const event = { accountId: 1, view };
  const { erased } = open();
  failure = away;
  await expect(erased([event])).rejects.toBe(away);
  failure = undefined;
  await erased([]);
  failure = away;
  expect(await erased([event])).toEqual(new Set([event]));
  failure = new Fault('INTERNAL', 'The catalog is broken, as the test said');
  await expect(erased([event])).rejects.toBe(failure);
});

test('where nothing was ever erased nothing is found', async () => {
  expect(await erasesNothing.erasedUntil(1, [view])).toEqual(new Map());
});
