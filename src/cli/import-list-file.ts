/** `video import --csv` and `--jsonl`: rows from a file, refusals to the terminal and a report. */
import { open } from 'node:fs/promises';
import { importList, type Refusal } from '../ingest/import-list.ts';
import { readCsv } from '../ingest/read-csv.ts';
import { readJsonLines } from '../ingest/read-json-lines.ts';
import type { Row } from '../ingest/row.ts';
import { nameOf, rowNames } from '../ingest/video-of-row.ts';
import { Fault } from '../wire/faults.ts';
import type { Arguments } from './arguments.ts';
import { counted } from './counted.ts';
import { openInput } from './input.ts';
import type { Outcome, Parts } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

const shownRefusals = 20;

export async function importListFile(given: Arguments, parts: Parts): Promise<Outcome> {
  const accountId = given.id('account');
  const folderId = given.has('folder') ? given.id('folder') : undefined;
  const input = await openInput(given.text(given.has('csv') ? 'csv' : 'jsonl'));
  const tell = await openReport(given.text('report'), parts);
  const rows: AsyncIterable<Row> = given.has('csv')
    ? readCsv(input.bytes, nameColumns)
    : readJsonLines(input.bytes);
  try {
    const counts = await withCatalog(parts, async (catalog) => {
      if (!(await catalog.accounts.find(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      if (folderId !== undefined && !(await catalog.folders.find(accountId, folderId))) {
        throw new Fault('NOT_FOUND', `There is no folder ${folderId}`);
      }
      const onBatch = async (refusals: readonly Refusal[]) => {
        await tell.refusals(refusals);
        input.advance();
      };
      return importList(catalog, rows, { accountId, folderId, onBatch });
    });
    const { imported, unchanged, refused } = counts;
    const done = `${counted(imported, 'video')} imported`;
    return { json: counts, lines: [`${done}, ${unchanged} unchanged, ${refused} refused`] };
  } finally {
    input.end();
    await tell.end();
  }
}

async function openReport(file: string, parts: Parts) {
  const report = file === '' ? undefined : await create(file);
  let told = 0;
  return {
    async refusals(refusals: readonly Refusal[]): Promise<void> {
      for (const { line, reason } of refusals) {
        told += 1;
        if (told <= shownRefusals) parts.complain(`line ${line}: ${reason}`);
        if (told === shownRefusals) {
          parts.complain(`further refusals are only ${report ? 'reported' : 'counted'}`);
        }
      }
      const lines = refusals.map((refusal) => `${JSON.stringify(refusal)}\n`);
      if (lines.length > 0) await report?.appendFile(lines.join(''));
    },
    async end(): Promise<void> {
      await report?.close();
    },
  };
}

async function create(file: string) {
  try {
    return await open(file, 'w');
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be written`, { cause });
  }
}

/** A column that nobody knows is a mistake better told at once than a million times. */
function nameColumns(header: readonly string[]): string[] {
  const columns = header.map((given) => nameOf(given) ?? refuseColumn(given));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) refuseHeader(`names ${twice} twice`);
  if (!columns.includes('title')) refuseHeader('names no title');
  if (!columns.includes('accessKey') && !columns.includes('cid')) {
    refuseHeader('names neither accessKey nor cid, by which a video is found again');
  }
  return columns;
}

function refuseColumn(given: string): never {
  refuseHeader(`names "${given}", which is not known; known are ${rowNames.join(', ')}`);
}

function refuseHeader(detail: string): never {
  throw new Fault('INVALID_PARAMETER', `The header in line 1 ${detail}`);
}
