import { guard } from './guard.ts';
import type { Stretch } from './stretch-meter.ts';
import type { Wait } from './wait-meter.ts';

/** What all beacons of a view have in common: whose it is, and of which video. */
export interface ViewDescription {
  /** Identity of one viewer's attempt at one video: 1 to 64 characters, a UUID by preference. */
  readonly view: string;
  readonly videoKey: string;
  /** By which your server vouches for this view; see docs/signed-views.md. */
  readonly token?: string | undefined;
  /** Your own name of the viewer, at most 64 characters. */
  readonly viewer?: string | undefined;
  /** The player, as `name/version`, at most 64 characters. */
  readonly player?: string | undefined;
  /** At most 5 labels of your account, with values of at most 64 characters. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** URL of the page. Its query and fragment never leave the browser. */
  readonly page?: string | undefined;
  /** The site that led to the page. */
  readonly referrer?: string | undefined;
  streamType?: 'vod' | 'live' | undefined;
  /** `slow-2g`, `2g`, `3g` or `4g`, as the browser calls it. */
  readonly connection?: string | undefined;
}

/** The numbers of the next stretch and the next wait of a view. */
export interface Counts {
  stretch: number;
  wait: number;
}

/** The system, where the User-Agent does not tell it well: `iOS`, `19.1`. */
export interface Platform {
  platform?: string | undefined;
  platformVersion?: string | undefined;
}

/** What is reported of a view. */
export type Report = Stretch | Wait;

/** A report as it is sent, but for `at`: RFC 3339 of the server's clock then. */
export type Beacon<Reported extends Report = Report> = Reported &
  ViewDescription &
  Platform & {
    /** Number of the stretch, or of the wait. */
    readonly stretch?: number | undefined;
    readonly wait?: number | undefined;
    /** Host that the media comes from. */
    mediaHost?: string | undefined;
  };

/** The numbers of the next stretch and wait by view, for as long as a view may come again. */
export type StretchNumbers = Record<string, number>;

const waitsLimit = 500;

/**
 * Makes a new stretch or wait the beacon that reports it, under the next number of its view. No two
 * stretches of a view have one number, and no two waits. What `findNumbers` gives holds
 * `StretchNumbers`, or texts of them. False if the view can have no such wait.
 */
export function beginBeacon(
  report: Report,
  view: ViewDescription,
  counts: Counts,
  findNumbers: () => object,
): boolean {
  const kind = report.outcome ? 'wait' : 'stretch';
  const key = `playmeter ${view.videoKey} ${view.view}${report.outcome ? ' wait' : ''}`;
  let numbers: StretchNumbers = {};
  // A browser may have storage, and refuse it.
  guard(() => {
    numbers = findNumbers() as StretchNumbers;
    counts[kind] = Math.max(counts[kind], +(numbers[key] as number) || 0);
  })();
  if (report.outcome) {
    // A view starts once: it comes again after an advertisement, or a reload.
    if ((report.cause === 'start') === counts.wait > 0 || counts.wait >= waitsLimit) return false;
  }
  Object.assign(report, view, { [kind]: counts[kind] });
  counts[kind] += 1;
  guard(() => {
    numbers[key] = counts[kind];
  })();
  return true;
}
