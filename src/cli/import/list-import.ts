/** `video import --csv` and `--jsonl`: imports rows and reports refusals. */

import { nameColumns } from '../../import/column-names.ts';
import { readCsv } from '../../import/csv-records.ts';
import { readJsonLines } from '../../import/json-lines.ts';
import { importList, type Refusal } from '../../import/list-import.ts';
import type { Row } from '../../import/row.ts';
import { counted } from '../../lib/values/counted.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Arguments } from '../runner/arguments.ts';
import { openInput } from '../runner/input.ts';
import { keyPrinter } from '../runner/key-printer.ts';
import { openRefusalReport } from '../runner/refusal-report.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Parts } from '../verb.ts';

export async function importListFile(given: Arguments, parts: Parts): Promise<Outcome> {
  const accountId = given.id('account');
  const folderId = given.has('folder') ? given.id('folder') : undefined;
  const packageId = given.has('package') ? given.id('package') : undefined;
  const input = await openInput(given.text(given.has('csv') ? 'csv' : 'jsonl'));
  const report = openRefusalReport(given.text('report'), parts);
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
        for (const refusal of refusals) report.add(refusal);
        input.advance();
      };
      if (packageId !== undefined && !(await catalog.packages.find(accountId, packageId))) {
        throw new Fault('NOT_FOUND', `There is no package ${packageId}`);
      }
      const onPublished = keyPrinter(given, parts);
      const { clock } = parts;
      const wanted = { clock, accountId, folderId, packageId, onBatch, onPublished };
      return importList(catalog, rows, wanted);
    });
    const { imported, unchanged, refused } = counts;
    const done = `${counted(imported, 'video')} imported`;
    const line = `${done}, ${unchanged} unchanged, ${refused} refused`;
    const isIncomplete = refused > 0;
    if (packageId === undefined) return { json: counts, lines: [line], isIncomplete };
    // Standard output has the video keys.
    parts.complain(given.flag('json') ? JSON.stringify(counts) : line);
    return { lines: [], isIncomplete };
  } finally {
    input.end();
    report.end();
  }
}
