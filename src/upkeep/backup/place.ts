import type { Readable } from 'node:stream';

/** A file of this machine that goes into a backup. */
export interface SourceFile {
  /** In the backup. */
  readonly path: string;
  readonly source: string;
  readonly bytes: number;
}

export interface Hashed {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where a backup is. */
export interface Place {
  /** As the user named it, absolute. */
  readonly location: string;
  /** Another backup, named as in a manifest of this one; and how this one's manifest names it. */
  resolve(from: string): Place;
  nameOf(other: Place): string;
  /** What lies in it under a name. */
  inside(name: string): Place;
  /** Names of what lies at its top. */
  names(): Promise<string[]>;
  /** Undefined if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** Rejects with NOT_FOUND if there is no such file. */
  read(path: string): Promise<Readable>;
  /** Resolves when the file is durable, to what was written. */
  put(file: SourceFile, signal: AbortSignal): Promise<Hashed>;
  putText(path: string, text: string): Promise<void>;
  /** Removes one file, if it is there, or all. */
  remove(path?: string): Promise<void>;
}
