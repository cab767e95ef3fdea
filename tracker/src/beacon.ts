/** What is told of one stretch: the wire form, but for `at`, which waits for its correction. */
export interface Beacon {
  readonly view: string;
  readonly stretch: number;
  /** Milliseconds of the local clock until first sent; from then on RFC 3339 of the server's. */
  at: number | string;
  playMs: number;
  readonly videoKey: string;
}
