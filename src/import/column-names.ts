/** The header of a list in CSV -> the API's names of its columns. */
import { Fault } from '../vocabulary/faults.ts';

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
  readonly check: (columns: readonly string[]) => string | undefined;
}

/** An unknown column is reported once, before any row is read. */
export function createColumnNamer({ nameOf, known, check }: Columns) {
  const refuseColumn = (given: string): never =>
    refuseHeader(`names "${given}", which is not known; known are ${known.join(', ')}`);
  return (header: readonly string[]): string[] => {
    const columns = header.map((given) => nameOf(given) ?? refuseColumn(given));
    const twice = columns.find((name, index) => columns.indexOf(name) !== index);
    if (twice !== undefined) refuseHeader(`names ${twice} twice`);
    const wrong = check(columns);
    if (wrong !== undefined) refuseHeader(wrong);
    return columns;
  };
}

function refuseHeader(detail: string): never {
  throw new Fault('INVALID_PARAMETER', `The header in line 1 ${detail}`);
}

function spelling(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase();
}
