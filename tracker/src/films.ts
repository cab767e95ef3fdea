/** The films of one media element: tells which of them, if any, it has now. Pure. */

/** What an element has, as far as it tells. */
export interface Source {
  /** Without query and fragment, which a renewed signature changes; empty if it names nothing. */
  readonly address: string;
  /** Infinity for a live stream. */
  readonly lengthSeconds: number;
}

export interface Film {
  readonly address: string;
  /** When it was first played. */
  readonly firstSeconds: number;
  lengthSeconds: number;
}

/** By how much the lengths of two encodings of one film may differ. */
export const encodingSeconds = 1;

/** Over MediaSource every film is a `blob:`. */
export function addressOf(url: string | undefined): string {
  return (url || '').replace(/^blob:.*|[?#].*/, '');
}

/** The host that it is served from, without the port. */
export function hostOf(address: string): string | undefined {
  return (/^https?:..([^/:?#]+)/.exec(address) || [])[1];
}

/**
 * The film that the source has. Its length tells, since another quality has another address, and
 * its address, since an advertisement may be part of it the next time.
 */
export function findFilm<Known extends Film>(
  films: readonly Known[],
  { address, lengthSeconds }: Source,
): Known | undefined {
  return (
    films.find((film) => address && film.address === address) ||
    // Two live streams differ by NaN, which is not more.
    films.find((film) => !(Math.abs(film.lengthSeconds - lengthSeconds) > encodingSeconds)) ||
    // TRICKY: players such as hls.js give a live stream the length of its window, which grows, and
    // begin it again when it is loaded anew. A far shorter one is an advertisement. Both addresses
    // are empty.
    films.find(
      (film) =>
        film.address === address &&
        film.lengthSeconds > film.firstSeconds + encodingSeconds &&
        lengthSeconds * 2 > film.firstSeconds,
    )
  );
}
