import type { Told, TrackedMedia } from '../src/sight.ts';

/** What was buffered when the player failed: that much still plays. */
const bufferedAtError = new WeakMap<HTMLMediaElement, TimeRanges>();

/** Media begin a moment after the position at which they play. */
const slackSeconds = 0.5;

/** Tells the tracker of an element, whichever there is, what the element does not show. */
export function tell(media: HTMLMediaElement | null | undefined, news: Told): void {
  if (!media) return;
  const tracked: TrackedMedia = media;
  if (!tracked.playmeter) {
    for (const type of ['playing', 'emptied']) {
      media.addEventListener(type, () => {
        // The player has another source, or what plays has come since: it has got over its error.
        if (type === 'emptied' || !isIn(bufferedAtError.get(media), media.currentTime)) {
          Object.assign(tracked.playmeter ?? {}, { error: '' });
        }
      });
    }
  }
  if (news.error) bufferedAtError.set(media, media.buffered);
  tracked.playmeter = { ...tracked.playmeter, ...news };
  media.dispatchEvent(new Event('playmeter'));
}

function isIn(ranges: TimeRanges | undefined, position: number): boolean {
  return Array.from({ length: ranges?.length ?? 0 }).some(
    (_, index) =>
      (ranges as TimeRanges).start(index) - slackSeconds <= position &&
      position < (ranges as TimeRanges).end(index),
  );
}

/** Of a URL without a host, the page's own. */
export function hostOf(url: string): string | undefined {
  return new URL(url, document.baseURI).hostname || undefined;
}
