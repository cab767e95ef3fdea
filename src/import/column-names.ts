/** The header of a list in CSV -> the API's names of its columns. */
import { Fault } from '../vocabulary/faults.ts';
import { nameOf, rowNames } from './row-video.ts';

/** An unknown column is reported once, before any row is read. */
export function nameColumns(header: readonly string[]): string[] {
  const columns = header.map((given) => nameOf(given) ?? refuseColumn(given));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) refuseHeader(`names ${twice} twice`);
  if (!columns.includes('title')) refuseHeader('has no title column');
  if (!columns.includes('accessKey') && !columns.includes('cid')) {
    refuseHeader('has neither accessKey nor cid, one of which must identify the video');
  }
  return columns;
}

function refuseColumn(given: string): never {
  refuseHeader(`names "${given}", which is not known; known are ${rowNames.join(', ')}`);
}

function refuseHeader(detail: string): never {
  throw new Fault('INVALID_PARAMETER', `The header in line 1 ${detail}`);
}
