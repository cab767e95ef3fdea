import type { Importer } from '../collect/importer.ts';
import { importBeacons } from '../ingest/import-beacons.ts';
import {
  beginning,
  type ImportPosition,
  openPosition,
  type PositionKeeper,
} from '../ingest/import-position.ts';
import { Fault } from '../wire/faults.ts';
import { type Input, openInput } from './input.ts';
import { accountOption, jsonOption } from './options.ts';
import type { Parts, Verb } from './verb.ts';

const shownRefusals = 20;
const keepEveryMs = 250;

export const beaconsImport: Verb = {
  words: 'beacons import',
  summary: 'Import history: JSON lines, one beacon each; run again, it goes on where it was',
  options: {
    account: accountOption,
    'from-start': { type: 'boolean', description: 'Begin anew what was broken off before' },
    file: { type: 'positional', description: 'File to read, - for standard input', required: true },
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    const file = given.text('file');
    const importer = await parts.openImporter();
    try {
      if (!(await importer.hasAccount(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const position = await openPosition(importer.positionsFolder, accountId, file);
      const start = given.flag('from-start') ? beginning : position.read();
      if (start.lines > 0) {
        parts.complain(`goes on behind line ${start.lines}; --from-start begins anew`);
      }
      const input = await openInput(file, start.bytes);
      const end = await importAll(importer, { accountId, input, start, position, parts });
      const { accepted, rejected } = end;
      await importer.finish();
      position.forget();
      const lines = [`${accepted} beacons accepted, ${rejected} rejected`];
      return { json: { accepted, rejected }, lines };
    } finally {
      await importer.close();
    }
  },
};

interface Import {
  readonly accountId: number;
  readonly input: Input;
  readonly start: ImportPosition;
  readonly position: PositionKeeper;
  readonly parts: Parts;
}

async function importAll(importer: Importer, about: Import): Promise<ImportPosition> {
  const { accountId, input, start, position, parts } = about;
  let refused = 0;
  let keptAt = performance.now();
  try {
    return await importBeacons({
      bytes: input.bytes,
      start,
      collect: (beacons) => importer.collector.collect(beacons, { accountId }),
      refused(line, { code, detail }) {
        refused += 1;
        if (refused <= shownRefusals) parts.complain(`line ${line}: ${code}: ${detail}`);
        if (refused === shownRefusals) parts.complain('further refusals are only counted');
      },
      reached(through) {
        input.advance();
        if (performance.now() - keptAt < keepEveryMs) return;
        position.keep(through);
        keptAt = performance.now();
      },
    });
  } finally {
    input.end();
  }
}
