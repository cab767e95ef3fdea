/** The facts that counts of days are made of. */
import { isOfDays } from './account-days.ts';
import { timeInSlot } from './counted-time.ts';
import { tables } from './schema.ts';
import { belowCeiling } from './sums.ts';

const { stretch } = tables;

const columns = Object.keys(stretch.columns)
  .filter((column) => !['suspect', 'ceiling', 'playMs'].includes(column))
  .join(', ');

/** SQL of the usual facts of `parametersOfDays`, with `countedMs`. */
export const factsOfDays = `SELECT ${columns}, playMs, ${timeInSlot} AS countedMs
        FROM (
          SELECT ${columns}, ${belowCeiling('playMs', 'ceiling')} AS playMs
          FROM ${stretch.name} FINAL
          WHERE ${isOfDays} AND suspect = ''
        )`;
