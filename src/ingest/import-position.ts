/**
 * How far the import of a file has come, kept beside the data: broken off, it goes on there when
 * it is run again; finished, it has nothing to do. To lose it loses nothing, for what is imported
 * again is the same.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const count = Type.Integer({ minimum: 0 });
const ImportPosition = Type.Object({
  /** Where the next line begins. */
  bytes: count,
  lines: count,
  /** Of the lines before it. */
  accepted: count,
  rejected: count,
  /** All of the file was read, and is in the answers. */
  isFinished: Type.Boolean(),
});
export type ImportPosition = Readonly<Static<typeof ImportPosition>>;

/** A file that was changed is another one, and begins anew. */
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
  isFinished: false,
};

export interface PositionKeeper {
  /** The beginning, where the file was never imported, or is another one since. */
  read(): ImportPosition;
  keep(position: ImportPosition): void;
}

/** Of a file that stays as it is; what is read from elsewhere begins anew each time. */
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
      // A rename is all or nothing, and what a power cut leaves empty counts as none.
      writeFileSync(`${path}.new`, JSON.stringify({ ...same, position }));
      renameSync(`${path}.new`, path);
    },
  };
}

function readKept(path: string): Static<typeof KeptPosition> | undefined {
  try {
    return Value.Parse(KeptPosition, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
