import type { Importer } from '../../collect/forms/import/fact-import.ts';
import { importBeacons } from '../../import/beacon-import.ts';
import {
  beginning,
  type ImportPosition,
  openPosition,
  type PositionKeeper,
} from '../../import/import-position.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { counted } from '../../lib/values/counted.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Input, openInput } from '../runner/input.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import { openRefusalReport, type RefusalReport, reportOption } from '../runner/refusal-report.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

const keepEveryMs = 250;
const whyErased =
  'their playback was erased before, or is of days whose single facts are erased; ' +
  'see `playmeter erasure list` and the ledger';

export const beaconsImport: Verb = {
  words: 'beacons import',
  summary: 'Import JSON lines: beacons, or exported facts; resumes when run again',
  options: {
    account: accountOption,
    'from-start': { type: 'boolean', description: 'Start over instead of resuming' },
    report: reportOption,
    file: {
      type: 'positional',
      description: 'File to read, or - for standard input',
      required: true,
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    const file = given.text('file');
    let report: RefusalReport | undefined;
    const importer = await parts.openImporter();
    try {
      if (!(await importer.hasAccount(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const position = await openPosition(importer.positionsFolder, accountId, file);
      const start = given.flag('from-start') ? beginning : findStart(position.read());
      tellStart(start, parts);
      if (start.isFinished) return describeOutcome(start);
      const input = await openInput(file, start.bytes);
      report = openRefusalReport(given.text('report'), parts, { goesOn: start.lines > 0 });
      const end = await importAll(importer, {
        ...{ clock: parts.clock, accountId, input },
        start,
        position,
        report,
      });
      await importer.finish();
      position.keep({ ...end, isFinished: true });
      return describeOutcome(end);
    } finally {
      report?.end();
      await importer.close();
    }
  },
};

/** Refused beacons may be accepted now, for example if their videos were added since. */
function findStart(kept: ImportPosition): ImportPosition {
  return kept.isFinished && kept.rejected > 0 ? beginning : kept;
}

function tellStart({ lines, isFinished }: ImportPosition, { complain }: Parts): void {
  if (lines === 0) return;
  const found = isFinished
    ? `imported before, ${counted(lines, 'line')}`
    : `continues after line ${lines}`;
  complain(`${found}; --from-start starts over`);
}

function describeOutcome({ accepted, rejected, erased }: ImportPosition): Outcome {
  const lines = [`${counted(accepted, 'beacon')} accepted, ${rejected} rejected`];
  if (erased > 0) lines.push(`${erased} of them count nowhere: ${whyErased}`);
  return { json: { accepted, rejected, erased }, lines, isIncomplete: rejected > 0 };
}

interface Import {
  readonly clock: Clock;
  readonly accountId: number;
  readonly input: Input;
  readonly start: ImportPosition;
  readonly position: PositionKeeper;
  readonly report: RefusalReport;
}

async function importAll(importer: Importer, about: Import): Promise<ImportPosition> {
  const { clock, accountId, input, start, position, report } = about;
  let keptAt = clock.monotonic();
  try {
    return await importBeacons({
      clock,
      bytes: input.bytes,
      start,
      collect: (beacons) => importer.collect(beacons, accountId),
      refused: (line, { code, detail }) => report.add({ line, code, reason: detail }),
      reached(through) {
        input.advance();
        if (clock.monotonic() - keptAt < keepEveryMs) return;
        position.keep(through);
        keptAt = clock.monotonic();
      },
    });
  } finally {
    input.end();
  }
}
