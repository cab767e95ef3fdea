/**
 * How far the import of a file has come, kept beside the data: broken off, it goes on there when it
 * is run again. To lose it loses nothing, for what is imported again is the same.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
});
export type ImportPosition = Readonly<Static<typeof ImportPosition>>;

export const beginning: ImportPosition = { bytes: 0, lines: 0, accepted: 0, rejected: 0 };

export interface PositionKeeper {
  /** The beginning, where the import was never broken off, or the file is another one since. */
  read(): ImportPosition;
  keep(position: ImportPosition): void;
  /** To be called when the file is done: to import it once more is to begin anew. */
  forget(): void;
}

/** Of a file that stays as it is; what is read from elsewhere begins anew each time. */
export async function openPosition(
  folder: string,
  accountId: number,
  file: string,
): Promise<PositionKeeper> {
  const name = file === '-' ? undefined : await nameOf(accountId, file);
  if (name === undefined) return { read: () => beginning, keep: () => {}, forget: () => {} };
  const path = join(folder, `${name}.json`);
  return {
    read: () => readPosition(path),
    keep(position) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A rename is all or nothing, and what a power cut leaves empty counts as none.
      writeFileSync(`${path}.new`, JSON.stringify(position));
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}

/** A file that was changed has another name. */
async function nameOf(accountId: number, file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const facts = [accountId, await realpath(file), found.size, found.mtimeMs];
  return hash('sha256', JSON.stringify(facts), 'hex').slice(0, 32);
}

function readPosition(path: string): ImportPosition {
  try {
    return Value.Parse(ImportPosition, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return beginning;
  }
}
