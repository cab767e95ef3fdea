import type { Parts } from '../verb.ts';
import type { Arguments } from './arguments.ts';

/** A video as it is in a package. */
export interface PublishedKey {
  readonly accessKey: string;
  readonly videoKey: string;
}

/** Prints video keys as they come: CSV with a header, or with --json an object a line. */
export function keyPrinter(given: Arguments, { print }: Parts) {
  let isFirst = true;
  return ({ accessKey, videoKey }: PublishedKey): void => {
    if (given.flag('json')) {
      print(JSON.stringify({ accessKey, videoKey }));
      return;
    }
    if (isFirst) print('accessKey,videoKey');
    isFirst = false;
    print(`${quoteCell(accessKey)},${quoteCell(videoKey)}`);
  };
}

/** As RFC 4180 quotes it. */
function quoteCell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
