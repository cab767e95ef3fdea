import type { Comparison } from '../view.ts';

/** What a share shows; the service sees to it, whatever this page asks. */
export interface SharedView {
  readonly name: string;
  readonly timeZone: string;
  readonly sdate: string;
  readonly edate: string;
  readonly filters: string;
  readonly compare: Comparison;
  /** Null: it shows the overview. */
  readonly video: {
    readonly accessKey: string;
    readonly title: string;
    readonly lengthMs: number;
  } | null;
  readonly expiresAt: string | null;
}
