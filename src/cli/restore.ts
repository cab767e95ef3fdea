import { openBackup } from '../upkeep/backup/read-backup.ts';
import { describeVerification } from '../upkeep/describe-verification.ts';
import { jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withBar } from './with-bar.ts';
import { withInterruption } from './with-interruption.ts';

export const restore: Verb = {
  words: 'restore',
  summary: 'Restore a backup into an empty data folder, then verify it',
  options: {
    place: {
      type: 'positional',
      description: 'The backup: a folder, or s3://BUCKET/PREFIX',
      required: true,
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const backup = await openBackup(parts.openPlace(given.text('place')));
    const verification = await withInterruption((signal) =>
      withBar((noteProgress) => parts.restore(backup, { signal, noteProgress })),
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
