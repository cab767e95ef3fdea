import { readCsv } from '../../import/csv-records.ts';
import { readJsonLines } from '../../import/json-lines.ts';
import { importList, type Refusal } from '../../import/list-import.ts';
import { describeMediaRefusal, importMedia } from '../../import/media-import.ts';
import type { Row } from '../../import/row.ts';
import { nameColumns } from '../../import/row-video.ts';
import { isFfmpegInstalled } from '../../import/thumbnail-capture.ts';
import { counted } from '../../lib/values/counted.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Arguments, WrongUsage } from '../runner/arguments.ts';
import { openInput, startBar } from '../runner/input.ts';
import { keyPrinter } from '../runner/key-printer.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { openRefusalReport, reportOption } from '../runner/refusal-report.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Parts, Verb } from '../verb.ts';

export const videoImport: Verb = {
  words: 'video import',
  summary: 'Import media files, or a library from a list; safe to run again',
  options: {
    account: accountOption,
    folder: optionalOption('Folder id; with a list, for rows that name no folder', 'ID'),
    csv: optionalOption('Import this CSV list with a header, or - for standard input', 'FILE'),
    jsonl: optionalOption('Import this list of JSON lines, or - for standard input', 'FILE'),
    package: optionalOption(
      'Put the videos into this package too, and print their video keys',
      'ID',
    ),
    report: reportOption,
    copy: {
      type: 'boolean',
      description: 'Copy media files into the content folder, which the service serves',
    },
    'file...': { type: 'positional', description: 'Media files to import', required: false },
    json: jsonOption,
  },
  async run(given, parts) {
    const files = given.texts('file...');
    const sources = [given.has('csv'), given.has('jsonl'), files.length > 0];
    if (sources.filter(Boolean).length !== 1) {
      throw new WrongUsage('give media files, or --csv, or --jsonl');
    }
    if (files.length === 0) return importListFile(given, parts);
    if (!given.has('folder')) throw new WrongUsage('--folder is required');
    await importMediaFiles(given, parts, files);
    return undefined;
  },
};

/** Imports rows, and reports refusals. */
async function importListFile(given: Arguments, parts: Parts): Promise<Outcome> {
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
      const account = await catalog.accounts.find(accountId);
      if (!account) throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
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
      const { timeZone } = account;
      const wanted = { clock, accountId, timeZone, folderId, packageId, onBatch, onPublished };
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

/**
 * One file after another; a bad file does not stop the rest. Prints a line for each video as it is
 * imported; with --json, an object.
 */
async function importMediaFiles(
  given: Arguments,
  parts: Parts,
  files: readonly string[],
): Promise<void> {
  const accountId = given.id('account');
  const folderId = given.id('folder');
  const packageId = given.has('package') ? given.id('package') : undefined;
  const takesThumbnails = await isFfmpegInstalled();
  if (!takesThumbnails) parts.complain('ffmpeg is not installed, so no thumbnails are made');
  const wanted = {
    accountId,
    folderId,
    takesThumbnails,
    copies: given.flag('copy'),
    ...parts.content,
  };
  const refused = await withCatalog(parts, async (catalog) => {
    if (!(await catalog.folders.find(accountId, folderId))) {
      throw new Fault('NOT_FOUND', `There is no folder ${folderId} in account ${accountId}`);
    }
    if (packageId !== undefined && !(await catalog.packages.find(accountId, packageId))) {
      throw new Fault('NOT_FOUND', `There is no package ${packageId} in account ${accountId}`);
    }
    const printKey = keyPrinter(given, parts);
    const bar = files.length > 1 ? startBar(files.length) : undefined;
    let bad = 0;
    const refuse = (file: string, reason: string) => {
      bad += 1;
      parts.complain(`${file} ${reason}`);
    };
    try {
      for (const file of files) {
        const result = await importMedia(catalog, file, wanted);
        bar?.increment();
        if (!result.ok) {
          refuse(file, result.reason);
          continue;
        }
        const { videoId, accessKey, title } = result.value;
        if (packageId === undefined) {
          const line = `Video ${videoId} (${accessKey}): ${title}`;
          parts.print(given.flag('json') ? JSON.stringify({ videoId, accessKey }) : line);
          continue;
        }
        const name = { accountId, packageId, accessKey };
        const published = await catalog.publications.publish(name);
        if (published.ok) printKey({ accessKey, ...published.value });
        else refuse(file, describeMediaRefusal(published.reason));
      }
    } finally {
      bar?.stop();
    }
    return bad;
  });
  if (refused > 0) {
    throw new Fault('INVALID_PARAMETER', `${refused} of ${files.length} files were not imported`);
  }
}
