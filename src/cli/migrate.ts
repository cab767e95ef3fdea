import { jsonOption } from './options.ts';
import type { Verb } from './verb.ts';

export const migrate: Verb = {
  words: 'migrate',
  summary: 'Bring the tables of the statistics up to this release, on every server',
  options: {
    check: { type: 'boolean', description: 'Only say what is to be done; exit code 1 if anything' },
    json: jsonOption,
  },
  async run(given, parts) {
    const tables = await parts.openTables();
    try {
      const undone = await tables.findUndone();
      const isCheck = given.flag('check');
      if (!isCheck) await tables.bringUpToDate();
      return {
        json: isCheck ? { undone } : { done: undone },
        lines:
          undone.length === 0 ? ['The tables are those of this release'] : linesOf(undone, isCheck),
        isIncomplete: isCheck && undone.length > 0,
      };
    } finally {
      await tables.close();
    }
  },
};

function linesOf(undone: readonly string[], isCheck: boolean): string[] {
  return isCheck ? [...undone] : [...undone.map((what) => `Done: ${what}`)];
}
