/** The facts as they are stored, merged, with the names that were told: a table in SQL. */
import { valueOfFactSql, valueSql } from '../../src/store/facts.ts';

const named = Object.entries({ ...valueSql, ...valueOfFactSql }).map(
  ([name, sql]) => `${sql} AS ${name}`,
);

export const namedFacts = `(SELECT *, ${named.join(', ')} FROM stretch FINAL)`;
