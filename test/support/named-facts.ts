/** The facts as they are stored, merged, with the names that were told: a table in SQL. */
import { namedValueSql } from '../../src/store/facts.ts';

const named = Object.entries(namedValueSql).map(([name, sql]) => `${sql} AS ${name}`);

export const namedFacts = `(SELECT *, ${named.join(', ')} FROM stretch FINAL)`;
