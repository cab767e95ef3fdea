/** One viewer's attempt at one film: numbers what is reported. Another film is another view. */
import {
  type Beacon,
  beginBeacon,
  type Counts,
  type Report,
  type ViewDescription,
} from '../../client/src/sender/beacon.ts';
import { describeView, type ViewOptions } from './describe-view.ts';
import { addressOf, encodingSeconds, type Film, findFilm, hostOf, type Source } from './films.ts';
import { longestFilmSeconds, type TrackedMedia } from './sight.ts';
import { createViewId } from './view-id.ts';

export interface View {
  /** Before each look of the meter. */
  look(media: Pick<TrackedMedia, 'readyState' | 'duration' | 'currentSrc' | 'playmeter'>): void;
  /** Makes a stretch or a wait the beacon that reports it, if its view can have one. */
  beaconOf<Reported extends Report>(report: Reported): Beacon<Reported> | undefined;
}

/** A film that was played, and its view. */
export interface ViewedFilm extends Film {
  /** What the page said of the view. */
  readonly said: string;
  /** By which the view may come again after a reload; empty where the page gave no name. */
  readonly givenName: string;
  readonly description: ViewDescription;
  readonly counts: Counts;
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
  let mediaHost: string | undefined;
  /** Nothing of what the element has now was played yet. */
  let fresh = true;

  return {
    look({ readyState, duration, currentSrc, playmeter = {} }) {
      source = { address: addressOf(currentSrc), lengthSeconds: duration };
      mediaHost = playmeter.mediaHost || hostOf(currentSrc);
      if (!readyState) fresh = true;
      // A live stream may grow. What counts is how long it was when another load began.
      else if (!fresh) {
        if (duration > film.lengthSeconds + encodingSeconds) film.description.streamType = 'live';
        film.lengthSeconds = duration;
      }
    },
    beaconOf<Reported extends Report>(beacon: Beacon<Reported>) {
      if (!beacon.view) {
        // Decided no sooner than something was played: players may correct the length until then.
        if (fresh) {
          const { lengthSeconds } = source;
          const isSaid = (one: ViewedFilm) => one.said === said;
          film = findFilm(viewed.filter(isSaid), source) as ViewedFilm;
          if (!film) {
            film = {
              ...source,
              firstSeconds: lengthSeconds,
              said,
              givenName,
              counts: { stretch: 0, wait: 0 },
              // Once a view: a page may change its URL while the film plays on.
              description: describeView(options, givenName || createViewId()),
            };
            if (viewed.push(film) > filmsLimit) viewed.shift();
          }
          film.lengthSeconds = lengthSeconds;
          if (lengthSeconds) {
            film.description.streamType = lengthSeconds > longestFilmSeconds ? 'live' : 'vod';
          }
          givenName = '';
          fresh = false;
        }
        // The tab keeps the numbers of views that the page named.
        const findNumbers = () => (film.givenName ? sessionStorage : {});
        if (!beginBeacon(beacon, film.description, film.counts, findNumbers)) return;
        beacon.mediaHost = mediaHost;
      }
      return beacon;
    },
  };
}
