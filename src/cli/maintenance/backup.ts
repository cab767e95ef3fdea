import { readFile } from 'node:fs/promises';
import { counted } from '../../lib/values/counted.ts';
import { readJson } from '../../lib/values/json-text.ts';
import { takeBackup } from '../../maintenance/backup/backup.ts';
import {
  type Backup,
  checkBackup,
  listBackups,
  openBackup,
} from '../../maintenance/backup/backup-reader.ts';
import type { Manifest } from '../../maintenance/backup/manifest.ts';
import { describeVerification } from '../../maintenance/verify/verification-text.ts';
import { type ReadReceipt, readReceipts } from '../../operations/erasure-receipts.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { withBar } from '../runner/input.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption, type Option, optionalOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';

const places = 'a folder, or s3://BUCKET/PREFIX';

function placeOption(description: string): Option {
  return { type: 'positional', description: `${description}: ${places}`, required: true };
}

export const backup: Verb = {
  words: 'backup',
  summary: 'Copy everything that is stored to another place, beside the running service',
  options: {
    place: placeOption('Where to; nothing may be there yet'),
    incremental: optionalOption('An earlier backup: what it has is not copied again', 'FROM'),
    json: jsonOption,
  },
  async run(given, parts) {
    const place = parts.openPlace(given.text('place'));
    const base = given.has('incremental')
      ? await openBackup(parts.openPlace(given.text('incremental')))
      : undefined;
    const manifest = await withInterruption(async (signal) => {
      const source = await parts.openBackupSource();
      try {
        const made = await withBar((noteProgress) =>
          takeBackup(source, place, { version: parts.version, base, signal, noteProgress }),
        );
        await source.noteDone(made.completeThrough);
        return made;
      } finally {
        await source.close();
      }
    });
    const json = summarize({ place, manifest });
    const dump =
      'The catalog is not in it: dump its database (DATABASE_URL) now, with pg_dump ' +
      '--exclude-table-data=salts';
    return { json, lines: [`Backup: ${formatLine(json)}`, ...(json.hasCatalog ? [] : [dump])] };
  },
};

export const backupList: Verb = {
  words: 'backup list',
  summary: 'List the backups in a place, the newest last',
  options: { place: placeOption('What contains the backups'), json: jsonOption },
  async run(given, parts) {
    const place = parts.openPlace(given.text('place'));
    const { backups, unreadable } = await listBackups(place);
    const backupList = backups.map(summarize);
    return {
      json: { backupList, unreadable },
      lines: [...backupList.map(formatLine), ...unreadable.map(({ reason }) => reason)],
      isIncomplete: unreadable.length > 0,
    };
  },
};

export const backupCheck: Verb = {
  words: 'backup check',
  summary: 'Read a whole backup and compare it with its checksums',
  options: { place: placeOption('The backup'), json: jsonOption },
  async run(given, parts) {
    const found = await openBackup(parts.openPlace(given.text('place')));
    const wrongFiles = await withInterruption((signal) =>
      withBar((noteProgress) => checkBackup(found, { signal, noteProgress })),
    );
    const json = { isWhole: wrongFiles.length === 0, ...summarize(found), wrongFiles };
    const lines = wrongFiles.map(
      ({ path, location, reason }) => `${path} in ${location}: ${reason}`,
    );
    const isIncomplete = wrongFiles.length > 0;
    return {
      json,
      lines: [...lines, `${isIncomplete ? 'Damaged' : 'Whole'}: ${formatLine(json)}`],
      isIncomplete,
    };
  },
};

interface Summary {
  readonly location: string;
  readonly createdAt: string;
  readonly completeThrough: string;
  readonly playmeter: string;
  /** Whether the catalog is in it; one in PostgreSQL is not. */
  readonly hasCatalog: boolean;
  readonly facts: number;
  readonly files: number;
  readonly bytes: number;
  /** Earlier backups that it needs. */
  readonly needs: readonly string[];
}

function summarize({ place, manifest }: Backup): Summary {
  const { createdAt, completeThrough, playmeter, catalogMark, tables, files } = manifest;
  const own = files.filter(({ from }) => from === undefined);
  const needed = new Set(files.flatMap(({ from }) => (from === undefined ? [] : [from])));
  return {
    ...{ location: place.location, createdAt, completeThrough, playmeter },
    hasCatalog: catalogMark === undefined,
    facts: countFacts(tables),
    files: files.length,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    needs: [...needed].map((from) => place.resolve(from).location).sort(),
  };
}

function countFacts(tables: Manifest['tables']): number {
  return tables.find(({ name }) => name === 'stretch')?.rows ?? 0;
}

function formatLine({
  location,
  completeThrough,
  hasCatalog,
  facts,
  files,
  bytes,
  needs,
}: Summary): string {
  const megabytes = (bytes / 1_048_576).toFixed(1);
  return [
    location,
    `complete through ${completeThrough}`,
    counted(facts, 'fact'),
    counted(files, 'file'),
    `${megabytes} MB`,
    ...(hasCatalog ? [] : ['without the catalog']),
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
  ].join('\t');
}

export const restore: Verb = {
  words: 'restore',
  summary: 'Restore a backup into an empty data folder, then verify it',
  options: {
    place: {
      type: 'positional',
      description: 'The backup: a folder, or s3://BUCKET/PREFIX',
      required: true,
    },
    erasures: optionalOption(
      'Receipts newer than the backup, to be carried out again: what erasure list --json printed',
      'FILE',
    ),
    json: jsonOption,
  },
  async run(given, parts) {
    const backup = await openBackup(parts.openPlace(given.text('place')));
    const erasures = given.has('erasures') ? await readReceiptFile(given.text('erasures')) : [];
    const verification = await withInterruption((signal) =>
      withBar((noteProgress) => parts.restore(backup, { signal, noteProgress, erasures })),
    );
    const { completeThrough, hasSecret } = backup.manifest;
    const { json, lines, isIncomplete } = describeVerification(verification);
    const noSecret = 'The backup has no secret: set APP_SECRET as it was';
    return {
      json: { completeThrough, hasSecret, verification: json },
      lines: [
        ...lines,
        `Restored: complete through ${completeThrough}`,
        ...(hasSecret ? [] : [noSecret]),
      ],
      isIncomplete,
    };
  },
};

async function readReceiptFile(path: string): Promise<ReadReceipt[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new WrongUsage(`--erasures: ${error.message}`);
  });
  const message = readJson(bytes);
  if (!message.ok) throw new WrongUsage(`--erasures: ${path} ${message.reason}`);
  return readReceipts(message.value);
}
