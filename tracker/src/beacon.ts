import type { Platform } from './platform.ts';

/** The report of one stretch, as it is sent, but for `at`, which waits for the server's clock. */
export interface Beacon extends Platform {
  readonly view: string;
  readonly stretch: number;
  /** Milliseconds of the local clock until first sent; from then on RFC 3339 of the server's. */
  at: number | string;
  playMs: number;
  readonly videoKey: string;
  readonly token?: string | undefined;
}
