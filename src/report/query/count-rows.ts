/** Asks the store for what a plan counts. */
import type { FactQuery, FactReader } from '../../facts/facts.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { forPortions } from '../../lib/portions.ts';
import type { ViewerBasis } from '../../wire/audience-messages.ts';
import { mostRows } from '../../wire/audience-messages.ts';
import { basisCounts, compileFacts } from './compile-facts.ts';
import { compileSums } from './compile-sums.ts';
import { additiveCounts, type CountName, type Counts, noCounts } from './counts.ts';
import type { CountedKeys } from './label-rows.ts';
import type { QueryPlan } from './query-plan.ts';
import { tooManyRows } from './too-many-rows.ts';

export interface Counted {
  /** Without dimensions one, if there is any playback. */
  readonly rows: readonly CountedKeys[];
  readonly total: Counts;
  readonly basis: ViewerBasis;
}

const pace = { size: 2_000, takeTurn: nextTurn };

type ReadRow = Readonly<Record<string, string | number>>;

export const nothingCounted: Counted = {
  rows: [],
  total: noCounts,
  basis: { named: 0, daily: 0, none: 0 },
};

export async function countRows(
  plan: QueryPlan,
  facts: Pick<FactReader, 'readMany'>,
): Promise<Counted> {
  const compiled = (limit: number) =>
    plan.source === 'sums' ? compileSums(plan, limit) : compileFacts(plan, limit);
  const read = await facts.readMany<ReadRow>(compiled(mostRows + 1));
  const keyNames = plan.keys.sql.map((_, index) => `key${index}`);
  const rows: CountedKeys[] = [];
  const summed = { ...noCounts };
  let total: ReadRow | undefined;
  await forPortions(read, pace, (portion) => {
    for (const row of portion) {
      if (row.isTotal === 1) {
        total = row;
        continue;
      }
      const counts = countsIn(row, plan);
      for (const name of additiveCounts) summed[name] += counts[name];
      rows.push({ keys: keyNames.map((name) => String(row[name])), counts });
    }
  });
  if (rows.length > mostRows) throw tooManyRows(await howMany(compiled(2 ** 32 - 1), plan, facts));
  if (total === undefined) return { ...nothingCounted, rows, total: summed };
  const own = countsIn(total, plan);
  const basis = basisIn(total);
  if (keyNames.length === 0) {
    return {
      rows: Number(total.count_facts) > 0 ? [{ keys: [], counts: own }] : [],
      total: own,
      basis,
    };
  }
  const additive = additiveCounts.map((name) => [name, summed[name]]);
  return { rows, total: { ...own, ...Object.fromEntries(additive) }, basis };
}

function countsIn(row: ReadRow, { counts }: QueryPlan): Counts {
  const read: Record<CountName, number> = { ...noCounts };
  for (const name of counts) read[name] = Number(row[`count_${name}`]);
  return read;
}

function basisIn(row: ReadRow): ViewerBasis {
  const [all = 0, known = 0, named = 0] = basisCounts.map((name) =>
    Number(row[`count_${name}`] ?? 0),
  );
  return { named, daily: known - named, none: all - known };
}

async function howMany(
  { sql, parameters }: FactQuery,
  { source }: QueryPlan,
  facts: Pick<FactReader, 'readMany'>,
): Promise<number> {
  const rowsAlone = source === 'facts' ? ' WHERE isTotal = 0' : '';
  const [row] = await facts.readMany<{ rows: number }>({
    name: 'count rows of query',
    sql: `SELECT count() AS rows FROM (\n${sql}\n)${rowsAlone}`,
    parameters,
  });
  return row?.rows ?? 0;
}
