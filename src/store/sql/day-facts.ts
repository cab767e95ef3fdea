/** The facts that counts of days are made of. */

import { tables } from '../tables/schema.ts';
import { belowCeiling } from '../tables/sums.ts';
import { isOfDays } from './account-days.ts';
import { timeInSlot } from './counted-time.ts';

/** SQL of the usual facts of `parametersOfDays`, with the time that counts, and `countedMs`. */
export const factsOfDays = `SELECT *, ${timeInSlot} AS countedMs
        FROM (
          SELECT * REPLACE (${belowCeiling('playMs', 'ceiling')} AS playMs)
          FROM ${tables.stretch.name} FINAL
          WHERE ${isOfDays} AND suspect = ''
        )`;
