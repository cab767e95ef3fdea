/** The header of a list in CSV -> the API's names of its columns. */
import { Fault } from '../vocabulary/faults.ts';
import { replacementCharacter, savedOtherwise } from './row.ts';
import { nameOf, rowNames } from './row-video.ts';

/**
 * Cells that are empty name nothing: spreadsheets write them for columns that were once used. What
 * is wrong is reported once, before any row is read.
 */
export function nameColumns(header: readonly string[], line: number): (string | undefined)[] {
  const wrong = findWrong(header);
  if (wrong === undefined) return header.map(nameOf);
  throw new Fault('INVALID_PARAMETER', `The header in line ${line} ${wrong}`);
}

function findWrong(header: readonly string[]): string | undefined {
  // NUL: a workbook, or UTF-16 without its mark.
  if (header.some((given) => given.includes(replacementCharacter) || given.includes('\0'))) {
    return savedOtherwise;
  }
  const named = header.filter((given) => given.trim() !== '');
  const unknown = named.find((given) => nameOf(given) === undefined);
  if (unknown !== undefined && header.length === 1) {
    return `names "${unknown}" alone: separate the columns by commas, semicolons or tabs`;
  }
  if (unknown !== undefined) {
    return `names "${unknown}", which is not known; known are ${rowNames.join(', ')}`;
  }
  const columns = named.map(nameOf);
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) return `names ${twice} twice`;
  if (!columns.includes('title')) return 'has no title column';
  return columns.includes('accessKey') || columns.includes('cid')
    ? undefined
    : 'has neither accessKey nor cid, one of which must identify the video';
}
