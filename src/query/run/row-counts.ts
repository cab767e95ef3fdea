/** Asks the store for what a plan counts. */
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import type { FactReader } from '../../store/facts.ts';
import {
  mostRows,
  type QualityBasis,
  type ViewerBasis,
} from '../../wire/questions/audience-messages.ts';
import { compileFacts, compileInParts, type FactsPart, type Pass } from '../compile/facts-sql.ts';
import { compileSums } from '../compile/sums-sql.ts';
import {
  basisCounts,
  type CountName,
  type Counts,
  countNames,
  isAdditive,
  noCounts,
} from '../plan/counts.ts';
import type { QueryPlan } from '../plan/query-plan.ts';
import type { CountedKeys } from '../present/row-labels.ts';
import { tooManyRows } from '../present/zero-rows.ts';

export interface Counted {
  /** Without dimensions one, if there is any playback. */
  readonly rows: readonly CountedKeys[];
  readonly total: Counts;
  readonly basis: ViewerBasis;
  /** Where quality is counted. */
  readonly qualityBasis: QualityBasis;
}

const pace = { size: 2_000, takeTurn: nextTurn };
const additiveCounts = countNames.filter(isAdditive);

type ReadRow = Readonly<Record<string, string | number>>;

export const nothingCounted: Counted = {
  rows: [],
  total: noCounts,
  basis: { named: 0, daily: 0, none: 0 },
  qualityBasis: { attempts: 0, views: 0 },
};

/** Undefined if days were counted again since the plan was made: plan again. */
export async function countRows(
  plan: QueryPlan,
  facts: Pick<FactReader, 'readMany'>,
): Promise<Counted | undefined> {
  const passes = plan.source === 'facts' ? plan.passes : 1;
  const planned = plan.source === 'facts' ? (plan.audienceDays?.days.length ?? 0) : 0;
  const keyNames = plan.keys.sql.map((_, index) => `key${index}`);
  const { rows, add } = rowsTogether(passes > 1 || planned > 0);
  const summed = { ...noCounts };
  let total: Total | undefined;
  for (let index = 0; index < passes; index += 1) {
    const pass = passes > 1 ? { index, of: passes } : undefined;
    const answers = await Promise.all(
      compileParts(plan, pass).map(async ({ query, hasDays, isSettled }) => {
        const isWhole = (read: readonly ReadRow[]) => !hasDays || daysIn(read) >= planned;
        const asked = isSettled ? { ...query, isFinal: isWhole } : query;
        const read = await facts.readMany<ReadRow>(asked);
        return isWhole(read) ? read : undefined;
      }),
    );
    for (const read of answers) {
      if (read === undefined) return undefined;
      await forPortions(read, pace, (portion) => {
        for (const row of portion) {
          if (row.isTotal === 1) {
            const own = totalIn(row, plan);
            total = total ? togetherInAll(total, own) : own;
            continue;
          }
          const keys = keyNames.map((name) => String(row[name]));
          const counts = countsIn(row, plan);
          for (const name of additiveCounts) summed[name] += counts[name];
          add(keys, counts);
        }
      });
    }
    if (rows.length > mostRows) throw tooManyRows(await howMany(plan, facts));
  }
  if (total === undefined) return { ...nothingCounted, rows, total: summed };
  const { counts, all, known, named, inRange } = total;
  const basis = { named, daily: known - named, none: all - known };
  const qualityBasis = { attempts: counts.attempts, views: inRange };
  const bases = { basis, qualityBasis };
  if (keyNames.length === 0) {
    return { rows: total.facts > 0 ? [{ keys: [], counts }] : [], total: counts, ...bases };
  }
  const additive = additiveCounts.map((name) => [name, summed[name]]);
  return {
    rows,
    total: { ...counts, ...Object.fromEntries(additive) },
    ...bases,
  };
}

function compileParts(plan: QueryPlan, pass: Pass | undefined): readonly FactsPart[] {
  if (plan.source === 'facts') return compileInParts(plan, mostRows + 1, pass);
  return [{ query: compileSums(plan, mostRows + 1), hasDays: false, isSettled: false }];
}

function daysIn(read: readonly ReadRow[]): number {
  return Number(read.find(({ isTotal }) => isTotal === 1)?.count_days ?? 0);
}

/** Rows of several statements may have the same keys; those of one have keys of their own. */
function rowsTogether(mayRepeat: boolean) {
  const rows: CountedKeys[] = [];
  const places = new Map<string, number>();
  const add = (keys: readonly string[], counts: Counts): void => {
    if (!mayRepeat) {
      rows.push({ keys, counts });
      return;
    }
    const name = JSON.stringify(keys);
    const place = places.get(name) ?? rows.length;
    const before = rows[place];
    places.set(name, place);
    rows[place] = { keys, counts: before ? together(before.counts, counts) : counts };
  };
  return { rows, add };
}

/** Of all facts, whatever the rows. */
interface Total {
  readonly facts: number;
  readonly counts: Counts;
  readonly all: number;
  readonly known: number;
  readonly named: number;
  /** With playback or waits. */
  readonly inRange: number;
}

const columnOf = Object.fromEntries(countNames.map((name) => [name, `count_${name}`])) as {
  readonly [name in CountName]: string;
};

function countsIn(row: ReadRow, { counts }: QueryPlan): Counts {
  const read: Record<CountName, number> = { ...noCounts };
  for (const name of counts) read[name] = Number(row[columnOf[name]]);
  return read;
}

function totalIn(row: ReadRow, plan: QueryPlan): Total {
  const [all = 0, known = 0, named = 0] = basisCounts.map((name) =>
    Number(row[`count_${name}`] ?? 0),
  );
  const facts = Number(row.count_facts);
  const inRange = Number(row.count_viewsInRange ?? 0);
  return { facts, counts: countsIn(row, plan), all, known, named, inRange };
}

/** The counts of disjoint views. */
function together(one: Counts, other: Counts): Counts {
  const sum: Record<CountName, number> = { ...one };
  for (const name of countNames) sum[name] += other[name];
  return sum;
}

function togetherInAll(one: Total, other: Total): Total {
  return {
    facts: one.facts + other.facts,
    counts: together(one.counts, other.counts),
    all: one.all + other.all,
    known: one.known + other.known,
    named: one.named + other.named,
    inRange: one.inRange + other.inRange,
  };
}

async function howMany(plan: QueryPlan, facts: Pick<FactReader, 'readMany'>): Promise<number> {
  const all = 2 ** 32 - 1;
  const isOfFacts = plan.source === 'facts';
  const { sql, parameters } = isOfFacts ? compileFacts(plan, all) : compileSums(plan, all);
  const rowsAlone = isOfFacts ? ' WHERE isTotal = 0' : '';
  const [row] = await facts.readMany<{ rows: number }>({
    name: 'count rows of query',
    sql: `SELECT count() AS rows FROM (\n${sql}\n)${rowsAlone}`,
    parameters,
  });
  return row?.rows ?? 0;
}
