import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { reportOption } from '../runner/refusal-report.ts';
import type { Verb } from '../verb.ts';
import { importListFile } from './list-import.ts';
import { importMediaFiles } from './media-import.ts';

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
