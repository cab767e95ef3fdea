import { guard } from './guard.ts';
import type { Stretch } from './stretch-meter.ts';

/** What all beacons of a view have in common: whose it is, and of which video. */
export interface ViewDescription {
  /** Identity of one viewer's attempt at one video: 1 to 64 characters, a UUID by preference. */
  readonly view: string;
  /** Number of the next stretch. */
  stretch: number;
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
}

/** The system, where the User-Agent does not tell it well: `iOS`, `19.1`. */
export interface Platform {
  platform?: string | undefined;
  platformVersion?: string | undefined;
}

/** The report of one stretch as it is sent, but for `at`: RFC 3339 of the server's clock then. */
export interface Beacon extends Stretch, ViewDescription, Platform {}

/** The number of the next stretch by view, for as long as a view may come again. */
export type StretchNumbers = Record<string, number>;

/**
 * Makes a new stretch the beacon that reports it, under the next number of its view. No two
 * stretches of a view have one number. What `findNumbers` gives holds `StretchNumbers`, or texts of
 * them.
 */
export function beginBeacon(
  stretch: Stretch,
  view: ViewDescription,
  findNumbers?: () => object,
): void {
  // A browser may have storage, and refuse it.
  guard(() => {
    if (!findNumbers) return;
    const numbers = findNumbers() as StretchNumbers;
    const key = `playmeter ${view.videoKey} ${view.view}`;
    view.stretch = Math.max(view.stretch, +(numbers[key] as number) || 0);
    numbers[key] = view.stretch + 1;
  })();
  Object.assign(stretch, view);
  view.stretch += 1;
}
