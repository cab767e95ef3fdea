import { counted } from '../../lib/values/counted.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption, requiredOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';

const sqlite = 'sqlite';
const postgres = /^postgres(ql)?:\/\/\S+$/i;

export const catalogMove: Verb = {
  words: 'catalog move',
  summary: 'Copy the catalog into another database, and compare every row, without a service',
  options: {
    to: requiredOption(
      'Where to: postgres://USER:PASSWORD@HOST/DATABASE, or sqlite in the data folder',
      'TARGET',
    ),
    replace: {
      type: 'boolean',
      description: 'Replace this catalog there, though it was written to since it was moved',
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const to = given.text('to');
    if (to !== sqlite && !(postgres.test(to) && URL.canParse(to))) {
      throw new WrongUsage(`--to must be sqlite, or a URL such as postgres://user@127.0.0.1/name`);
    }
    const url = to === sqlite ? undefined : to;
    const moved = await withInterruption((signal) =>
      withBar((noteProgress) =>
        parts.moveCatalog(url, { replaces: given.flag('replace'), signal, noteProgress }),
      ),
    );
    const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
    const what = `${counted(rows, 'row')} in ${counted(moved.tables.length, 'table')}`;
    const setting =
      url === undefined ? 'unset DATABASE_URL' : 'set DATABASE_URL to the address of --to';
    return {
      json: { ...moved, rows, isVerified: true },
      lines: [
        ...moved.tables.map(({ table, rows, digest }) => `${table}\t${rows}\t${digest}`),
        `${moved.wasThere ? 'Moved before' : 'Moved'}, and equal row by row: ${what}`,
        `Now ${setting}, and start the service: ${moved.to}`,
        `The old catalog stays where it is, without the salts of anonymous viewers: ${moved.from}`,
      ],
    };
  },
};
