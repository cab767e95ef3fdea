import type { Importer } from '../collect/importer.ts';
import { importBeacons } from '../ingest/import-beacons.ts';
import {
  beginning,
  type ImportPosition,
  openPosition,
  type PositionKeeper,
} from '../ingest/import-position.ts';
import { Fault } from '../wire/faults.ts';
import { counted } from './counted.ts';
import { type Input, openInput } from './input.ts';
import { accountOption, jsonOption } from './options.ts';
import type { Outcome, Parts, Verb } from './verb.ts';

const shownRefusals = 20;
const keepEveryMs = 250;

export const beaconsImport: Verb = {
  words: 'beacons import',
  summary: 'Import history: JSON lines, one beacon each; run again, it goes on where it was',
  options: {
    account: accountOption,
    'from-start': { type: 'boolean', description: 'Begin anew what was imported before' },
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
      const start = given.flag('from-start') ? beginning : startOf(position.read());
      tellStart(start, parts);
      if (start.isFinished) return outcomeOf(start);
      const input = await openInput(file, start.bytes);
      const end = await importAll(importer, { accountId, input, start, position, parts });
      await importer.finish();
      position.keep({ ...end, isFinished: true });
      return outcomeOf(end);
    } finally {
      await importer.close();
    }
  },
};

/** What was refused may be taken now, as when its videos were added since. */
function startOf(kept: ImportPosition): ImportPosition {
  return kept.isFinished && kept.rejected > 0 ? beginning : kept;
}

function tellStart({ lines, isFinished }: ImportPosition, { complain }: Parts): void {
  if (lines === 0) return;
  const found = isFinished
    ? `was finished before, ${counted(lines, 'line')}`
    : `goes on behind line ${lines}`;
  complain(`${found}; --from-start begins anew`);
}

function outcomeOf({ accepted, rejected }: ImportPosition): Outcome {
  const lines = [`${counted(accepted, 'beacon')} accepted, ${rejected} rejected`];
  return { json: { accepted, rejected }, lines };
}

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
