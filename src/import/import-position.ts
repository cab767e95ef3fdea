/**
 * The progress of importing a file, kept in the data folder: an interrupted import continues there
 * when it is run again, and a finished one has nothing to do. Losing it does no harm, since
 * importing the same lines again changes nothing.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const count = Type.Integer({ minimum: 0 });
const ImportPosition = Type.Object({
  /** Where the next line begins, in bytes. */
  bytes: count,
  lines: count,
  /** Counts of the lines before it. */
  accepted: count,
  rejected: count,
  /** Of those accepted. Earlier releases did not keep it. */
  erased: Type.Integer({ minimum: 0, default: 0 }),
  /** The whole file was imported and is visible in the statistics. */
  isFinished: Type.Boolean(),
});
export type ImportPosition = Readonly<Static<typeof ImportPosition>>;

/** A changed file is a different file, and its import starts over. */
const KeptPosition = Type.Object({
  sizeBytes: count,
  changedAtMs: Type.Number(),
  position: ImportPosition,
});

export const beginning: ImportPosition = {
  bytes: 0,
  lines: 0,
  accepted: 0,
  rejected: 0,
  erased: 0,
  isFinished: false,
};

export interface PositionKeeper {
  /** The beginning, if the file was never imported or has changed since. */
  read(): ImportPosition;
  keep(position: ImportPosition): void;
}

/** For files only; an import from elsewhere starts at the beginning each time. */
export async function openPosition(
  folder: string,
  accountId: number,
  file: string,
): Promise<PositionKeeper> {
  const found = file === '-' ? undefined : await stat(file).catch(() => undefined);
  if (!found?.isFile()) return { read: () => beginning, keep: () => {} };
  const name = hash('sha256', JSON.stringify([accountId, await realpath(file)]), 'hex');
  const path = join(folder, `${name.slice(0, 32)}.json`);
  const same = { sizeBytes: found.size, changedAtMs: found.mtimeMs };
  return {
    read() {
      const kept = readKept(path);
      const isSame = kept?.sizeBytes === same.sizeBytes && kept.changedAtMs === same.changedAtMs;
      return isSame ? kept.position : beginning;
    },
    keep(position) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A rename is atomic, and a file left empty by a power cut counts as none.
      writeFileSync(`${path}.new`, JSON.stringify({ ...same, position }));
      renameSync(`${path}.new`, path);
    },
  };
}

function readKept(path: string): Static<typeof KeptPosition> | undefined {
  try {
    const kept = Value.Default(KeptPosition, JSON.parse(readFileSync(path, 'utf8')));
    return Value.Parse(KeptPosition, kept);
  } catch {
    return undefined;
  }
}
