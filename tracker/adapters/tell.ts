import type { Told, TrackedMedia } from '../src/sight.ts';

/** Tells the tracker of an element, whichever there is, what the element does not show. */
export function tell(media: HTMLMediaElement | null | undefined, news: Told): void {
  if (!media) return;
  const tracked: TrackedMedia = media;
  if (!tracked.playmeter) {
    // The player has got over its error, or has another source.
    for (const type of ['playing', 'emptied']) {
      media.addEventListener(type, () => Object.assign(tracked.playmeter ?? {}, { error: '' }));
    }
  }
  tracked.playmeter = { ...tracked.playmeter, ...news };
  media.dispatchEvent(new Event('playmeter'));
}

/** Of a URL without a host, the page's own. */
export function hostOf(url: string): string | undefined {
  return new URL(url, document.baseURI).hostname || undefined;
}
