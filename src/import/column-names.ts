/** The header of a list in CSV -> the API's names of its columns. */
import { Fault } from '../vocabulary/faults.ts';
import { replacementCharacter, savedOtherwise } from './row.ts';

/** Finds the API's name of a column or member, however it is spelt: `vheight`, `file_size`. */
export function createNameFinder(names: readonly string[]): (given: string) => string | undefined {
  const nameBySpelling = new Map(names.map((name) => [spelling(name), name]));
  return (given) => nameBySpelling.get(spelling(given));
}

interface Columns {
  readonly nameOf: (given: string) => string | undefined;
  /** What a refusal names as known. */
  readonly known: readonly string[];
  /** What is wrong with these, if anything. */
  readonly check: (columns: readonly (string | undefined)[]) => string | undefined;
}

/**
 * Cells that are empty name nothing: spreadsheets write them for columns that were once used. What
 * is wrong is reported once, before any row is read.
 */
export function createColumnNamer(columns: Columns) {
  return (header: readonly string[], line: number): (string | undefined)[] => {
    const wrong = findWrong(header, columns);
    if (wrong === undefined) return header.map(columns.nameOf);
    throw new Fault('INVALID_PARAMETER', `The header in line ${line} ${wrong}`);
  };
}

function findWrong(
  header: readonly string[],
  { nameOf, known, check }: Columns,
): string | undefined {
  // NUL: a workbook, or UTF-16 without its mark.
  if (header.some((given) => given.includes(replacementCharacter) || given.includes('\0'))) {
    return savedOtherwise;
  }
  const named = header.filter((given) => given.trim() !== '');
  const unknown = named.find((given) => nameOf(given) === undefined);
  if (unknown !== undefined && header.length === 1 && /[^\w\s-]/.test(unknown)) {
    return `names "${unknown}" alone: separate the columns by commas, semicolons or tabs`;
  }
  if (unknown !== undefined) {
    return `names "${unknown}", which is not known; known are ${known.join(', ')}`;
  }
  const names = named.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? check(names) : `names ${twice} twice`;
}

function spelling(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase();
}
