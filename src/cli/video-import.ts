import { WrongUsage } from './arguments.ts';
import { importListFile } from './import-list-file.ts';
import { importMediaFiles } from './import-media-files.ts';
import { accountOption, jsonOption, optionalOption } from './options.ts';
import type { Verb } from './verb.ts';

export const videoImport: Verb = {
  words: 'video import',
  summary: 'Import media files, or a whole library from a list; may be run again',
  options: {
    account: accountOption,
    folder: optionalOption('Folder, by its number; of list rows that name none', 'ID'),
    csv: optionalOption('List to read instead: CSV with a header, - for standard input', 'FILE'),
    jsonl: optionalOption('List to read instead: JSON lines, - for standard input', 'FILE'),
    report: optionalOption('Where to write every refused row, as JSON lines', 'FILE'),
    copy: { type: 'boolean', description: 'Copy media files to where this service serves them' },
    'file...': { type: 'positional', description: 'Media files to read', required: false },
    json: jsonOption,
  },
  async run(given, parts) {
    const files = given.texts('file...');
    const sources = [given.has('csv'), given.has('jsonl'), files.length > 0];
    if (sources.filter(Boolean).length !== 1) {
      throw new WrongUsage('takes media files, or --csv, or --jsonl');
    }
    if (files.length === 0) return importListFile(given, parts);
    if (!given.has('folder')) throw new WrongUsage('--folder is required');
    await importMediaFiles(given, parts, files);
    return undefined;
  },
};
