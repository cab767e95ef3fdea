import type { Importer } from '../collect/importer.ts';
import { retryUnavailable } from '../ingest/retry-unavailable.ts';
import { readLines } from '../lib/read-lines.ts';
import { Fault } from '../wire/faults.ts';
import { type Input, openInput } from './input.ts';
import { accountOption, jsonOption } from './options.ts';
import type { Parts, Verb } from './verb.ts';

const beaconsPerBatch = 1_000;
/** So many wait together, so that each insert into the store is a large one. */
const batchesAtOnce = 32;
const maxLineBytes = 65_536;
const shownRefusals = 20;

export const beaconsImport: Verb = {
  words: 'beacons import',
  summary: 'Import history: JSON lines, one beacon each; may be run again',
  options: {
    account: accountOption,
    file: { type: 'positional', description: 'File to read, - for standard input', required: true },
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    const input = await openInput(given.text('file'));
    const importer = await parts.openImporter();
    try {
      if (!(await importer.hasAccount(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const counts = await importAll(importer, { accountId, input, parts });
      await importer.finish();
      const { accepted, rejected } = counts;
      return { json: counts, lines: [`${accepted} beacons accepted, ${rejected} rejected`] };
    } finally {
      await importer.close();
    }
  },
};

interface Line {
  readonly line: number;
  readonly beacon: unknown;
}

interface Import {
  readonly accountId: number;
  readonly input: Input;
  readonly parts: Parts;
}

async function importAll(importer: Importer, { accountId, input, parts }: Import) {
  const counts = { accepted: 0, rejected: 0 };
  const underWay = new Set<Promise<void>>();
  let batch: Line[] = [];
  let line = 0;

  const collect = async (lines: readonly Line[]): Promise<void> => {
    const beacons = lines.map(({ beacon }) => beacon);
    const answer = await retryUnavailable(() => importer.collector.collect(beacons, { accountId }));
    for (const { index, code, detail } of answer.rejected) {
      if (counts.rejected < shownRefusals) {
        parts.complain(`line ${lines[index]?.line}: ${code}: ${detail}`);
      }
      counts.rejected += 1;
      if (counts.rejected === shownRefusals) parts.complain('further refusals are only counted');
    }
    counts.accepted += answer.accepted;
    input.advance();
  };
  const send = async (): Promise<void> => {
    const job = collect(batch).finally(() => underWay.delete(job));
    underWay.add(job);
    // Whoever waits for it hears of it; of several that fail one is enough.
    job.catch(() => {});
    batch = [];
    if (underWay.size >= batchesAtOnce) await Promise.race(underWay);
  };

  try {
    for await (const text of readLines(input.bytes, maxLineBytes)) {
      line += 1;
      if (text?.trim() === '') continue;
      batch.push({ line, beacon: parse(text) });
      if (batch.length === beaconsPerBatch) await send();
    }
    if (batch.length > 0) await send();
    await Promise.all(underWay);
  } finally {
    input.end();
  }
  return counts;
}

/** What is no JSON goes on as it is and is refused, with its line, like any other bad beacon. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
