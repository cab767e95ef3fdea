/** One viewer's attempt at one film: numbers its stretches. Another film is another view. */
import { type Beacon, beginBeacon, type ViewDescription } from '../../client/src/sender/beacon.ts';
import type { Stretch } from '../../client/src/sender/stretch-meter.ts';
import { describeView, type ViewOptions } from './describe-view.ts';
import { addressOf, type Film, findFilm, type Source } from './films.ts';
import { createViewId } from './view-id.ts';

export interface View {
  /** Before each look of the meter. */
  look(media: Pick<HTMLMediaElement, 'readyState' | 'duration' | 'currentSrc'>): void;
  /** Makes the stretch the beacon that reports it. */
  beaconOf(stretch: Stretch): Beacon;
}

/** A film that was played, and its view. */
export interface ViewedFilm extends Film {
  /** What the page said of the view. */
  readonly said: string;
  /** By which the view may come again after a reload; empty where the page gave no name. */
  readonly givenName: string;
  readonly description: ViewDescription;
}

/** `viewed` holds the films that were viewed in the same element before, and gets further ones. */
export function createView(options: ViewOptions, viewed: ViewedFilm[]): View {
  const filmsLimit = 100;
  /** The page's own name of the view, until a film has it. */
  let { view: givenName = '' } = options;
  // All but the page, whose URL may change.
  const said = JSON.stringify({ ...describeView(options, givenName), page: 0 });
  let film: ViewedFilm;
  let source: Source;
  /** Nothing of what the element has now was played yet. */
  let fresh = true;

  function findOrBegin(): ViewedFilm {
    const found = findFilm(
      viewed.filter((one) => one.said === said),
      source,
    );
    if (found) return found;
    const begun = {
      ...source,
      firstSeconds: source.lengthSeconds,
      said,
      givenName,
      // Once a view: a page may change its URL while the film plays on.
      description: describeView(options, givenName || createViewId()),
    };
    if (viewed.push(begun) > filmsLimit) viewed.shift();
    return begun;
  }

  return {
    look({ readyState, duration, currentSrc }) {
      source = { address: addressOf(currentSrc), lengthSeconds: duration };
      if (!readyState) fresh = true;
      // A live stream may grow. What counts is how long it was when another load began.
      else if (!fresh) film.lengthSeconds = duration;
    },
    beaconOf(stretch) {
      const beacon = stretch as Beacon;
      if (!beacon.view) {
        // Decided no sooner than something was played: players may correct the length until then.
        if (fresh) {
          film = findOrBegin();
          film.lengthSeconds = source.lengthSeconds;
          givenName = '';
          fresh = false;
        }
        // The tab keeps the numbers of views that the page named.
        beginBeacon(stretch, film.description, film.givenName ? () => sessionStorage : undefined);
      }
      return beacon;
    },
  };
}
