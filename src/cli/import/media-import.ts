/** `video import FILE...`: one file after another; a bad file does not stop the rest. */
import { importMedia } from '../../import/media-import.ts';
import { isFfmpegInstalled } from '../../import/thumbnail-capture.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Arguments } from '../runner/arguments.ts';
import { startBar } from '../runner/input.ts';
import { keyPrinter } from '../runner/key-printer.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Parts } from '../verb.ts';

/** Prints a line for each video as it is imported; with --json, an object. */
export async function importMediaFiles(
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
    try {
      for (const file of files) {
        const result = await importMedia(catalog, file, wanted);
        bar?.increment();
        if (result.ok) {
          const { videoId, accessKey, title } = result.value;
          if (packageId !== undefined) {
            const name = { accountId, packageId, accessKey };
            printKey({ accessKey, ...accepted(await catalog.publications.publish(name)) });
            continue;
          }
          const line = `Video ${videoId} (${accessKey}): ${title}`;
          parts.print(given.flag('json') ? JSON.stringify({ videoId, accessKey }) : line);
        } else {
          bad += 1;
          parts.complain(`${file} ${result.reason}`);
        }
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
