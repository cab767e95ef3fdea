import type { TableAdmin } from '../../maintenance/table-admin.ts';
import { startBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';

export const migrate: Verb = {
  words: 'migrate',
  summary: 'Bring the tables of catalog and statistics up to this release',
  options: {
    check: { type: 'boolean', description: 'Only say what is to be done; exit code 1 if anything' },
    json: jsonOption,
  },
  async run(given, parts) {
    const tables = await parts.openTables();
    try {
      const undone = await tables.findUndone();
      const isCheck = given.flag('check');
      if (!isCheck && undone.length > 0) await bringUpToDate(tables, undone.length);
      return {
        json: isCheck ? { undone } : { done: undone },
        lines:
          undone.length === 0
            ? ['The tables are those of this release']
            : formatLines(undone, isCheck),
        isIncomplete: isCheck && undone.length > 0,
      };
    } finally {
      await tables.close();
    }
  },
};

/**
 * Shows on the terminal how many steps are done: how long each takes cannot be known. Interrupted
 * after one of them; the others are done by running it again.
 */
function bringUpToDate(tables: TableAdmin, steps: number): Promise<void> {
  return withInterruption(async (signal) => {
    const bar = startBar(steps);
    const noteDone = () => {
      bar?.increment();
      signal.throwIfAborted();
    };
    try {
      await tables.bringUpToDate(noteDone);
    } finally {
      bar?.stop();
    }
  });
}

function formatLines(undone: readonly string[], isCheck: boolean): string[] {
  return isCheck ? [...undone] : [...undone.map((what) => `Done: ${what}`)];
}
