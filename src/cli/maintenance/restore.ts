import { readFile } from 'node:fs/promises';
import { readJson } from '../../lib/values/json-text.ts';
import { openBackup } from '../../maintenance/backup/backup-reader.ts';
import { describeVerification } from '../../maintenance/verify/verification-text.ts';
import { type ReadReceipt, readReceipts } from '../../operations/erasure-receipts.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { withInterruption } from '../runner/interruption.ts';
import { jsonOption, optionalOption } from '../runner/options.ts';
import { withBar } from '../runner/progress-bar.ts';
import type { Verb } from '../verb.ts';

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
    const erasures = given.has('erasures') ? await readFileOf(given.text('erasures')) : [];
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

async function readFileOf(path: string): Promise<ReadReceipt[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new WrongUsage(`--erasures: ${error.message}`);
  });
  const message = readJson(bytes);
  if (!message.ok) throw new WrongUsage(`--erasures: ${path} ${message.reason}`);
  return readReceipts(message.value);
}
