import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import type { Importer } from '../collect/importer.ts';
import { readLines } from '../collect/read-lines.ts';
import type { BeaconsAnswer } from '../wire/beacon.ts';
import { Fault } from '../wire/faults.ts';
import { accountOption, jsonOption } from './options.ts';
import type { Parts, Verb } from './verb.ts';

const beaconsPerBatch = 1_000;
const maxLineBytes = 65_536;
const shownRefusals = 20;
const storeRetries = 60;
const storeRetryPauseMs = 1_000;

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
    const file = given.text('file');
    const totalBytes = file === '-' ? undefined : await sizeOf(file);
    const importer = await parts.openImporter();
    try {
      if (!(await importer.hasAccount(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const counts = await importAll(importer, { accountId, file, totalBytes, parts });
      await importer.finish();
      const { accepted, rejected } = counts;
      return { json: counts, lines: [`${accepted} beacons accepted, ${rejected} rejected`] };
    } finally {
      await importer.close();
    }
  },
};

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be read`, { cause });
  }
}

interface Import {
  readonly accountId: number;
  readonly file: string;
  readonly totalBytes: number | undefined;
  readonly parts: Parts;
}

async function importAll(importer: Importer, { accountId, file, totalBytes, parts }: Import) {
  const counts = { accepted: 0, rejected: 0 };
  const input = file === '-' ? process.stdin : createReadStream(file);
  const bar = totalBytes && process.stderr.isTTY ? new SingleBar({ etaBuffer: 1_000 }) : undefined;
  bar?.start(totalBytes ?? 0, 0);
  let batch: { line: number; beacon: unknown }[] = [];
  let line = 0;

  const flush = async (): Promise<void> => {
    const beacons = batch.map(({ beacon }) => beacon);
    const answer = await collect(importer, beacons, accountId);
    for (const { index, code, detail } of answer.rejected) {
      if (counts.rejected < shownRefusals) {
        parts.complain(`line ${batch[index]?.line}: ${code}: ${detail}`);
      }
      counts.rejected += 1;
      if (counts.rejected === shownRefusals) parts.complain('further refusals are only counted');
    }
    counts.accepted += answer.accepted;
    batch = [];
    if ('bytesRead' in input) bar?.update(input.bytesRead);
  };

  try {
    for await (const text of readLines(input, maxLineBytes)) {
      line += 1;
      if (text?.trim() === '') continue;
      batch.push({ line, beacon: parse(text) });
      if (batch.length === beaconsPerBatch) await flush();
    }
    if (batch.length > 0) await flush();
  } finally {
    bar?.stop();
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

async function collect(
  importer: Importer,
  beacons: unknown[],
  accountId: number,
): Promise<BeaconsAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await importer.collector.collect(beacons, { accountId });
    } catch (error) {
      const mayWork = error instanceof Fault && error.code === 'UNAVAILABLE';
      if (!mayWork || attempt === storeRetries) throw error;
      await sleep(storeRetryPauseMs);
    }
  }
}
