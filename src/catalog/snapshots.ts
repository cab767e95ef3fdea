/** What the catalog keeps of answers, for their further pages. */

/** All rows of one answer, stored so that its further pages show the same moment. */
interface Snapshot {
  readonly requestId: string;
  readonly accountId: number;
  readonly path: string;
  readonly rowCount: number;
  /** Compressed by the caller. */
  readonly body: Uint8Array;
  readonly asOf: Date;
  readonly completeThrough: Date;
  readonly expiresAt: Date;
}

export interface Snapshots {
  /**
   * Of an account's snapshots together only `roomBytes` are kept: the oldest are deleted. The body
   * is smaller than that.
   */
  keep(snapshot: Snapshot, roomBytes: number): Promise<void>;
  /** Undefined once it has expired or was deleted. */
  find(requestId: string): Promise<Snapshot | undefined>;
  /** Deletes a portion of those expired; resolves to how many, 0 if none is left. */
  purge(): Promise<number>;
}
