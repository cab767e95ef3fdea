import type { Readable } from 'node:stream';

export interface Hashed {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Awaited right before a file is replaced or removed; rejects where it must not be, since another
 * process writes there now.
 */
export type Confirm = () => Promise<void>;

export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly confirm?: Confirm | undefined;
  /** How many bytes there will be, if that is known. */
  readonly bytes?: number;
}

/** A folder of files somewhere: of a backup, of an export. */
export interface Place {
  /** As the user named it, absolute. */
  readonly location: string;
  /** Files that are best written at a time: more than one where each waits for a network. */
  readonly writesAtOnce: number;
  /** Another place, named as in a manifest of this one; and how this one's manifest names it. */
  resolve(from: string): Place;
  nameOf(other: Place): string;
  /** What lies in it under a name. */
  inside(name: string): Place;
  /** Names of what lies at its top. */
  names(): Promise<string[]>;
  /** In bytes, without reading the file; undefined if there is no such file. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Undefined if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** Rejects with NOT_FOUND if there is no such file. */
  read(path: string, signal?: AbortSignal): Promise<Readable>;
  /**
   * Resolves when the bytes are durable, to what was written; until then nobody sees a file of that
   * name, or sees the one that was there before.
   */
  write(path: string, bytes: Readable, options: WriteOptions): Promise<Hashed>;
  /** Resolves when the file is durable, and the names of all that was written before it too. */
  writeText(path: string, text: string, confirm?: Confirm): Promise<void>;
  /** Removes one file, if it is there, or a folder that has none; or all files. */
  remove(path?: string, confirm?: Confirm): Promise<void>;
}
