/** For React 18 or newer: `import { TrackedVideo } from '@playmeter/tracker/react'`. */
import {
  type ComponentPropsWithoutRef,
  createElement,
  type ForwardedRef,
  forwardRef,
  type RefCallback,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type TrackOptions, track } from './track.ts';

/**
 * Gives the `ref` of a `<video>` or `<audio>`, which is tracked while it is on the page. Other
 * options, compared by their values, begin another view; undefined tracks nothing.
 */
export function useTracking(options: TrackOptions | undefined): RefCallback<HTMLMediaElement> {
  const [media, setMedia] = useState<HTMLMediaElement | null>(null);
  // Most pages write the options anew whenever they render.
  const written = options && JSON.stringify(options);
  useEffect(() => {
    if (media === null || written === undefined) return;
    const tracking = track(media, JSON.parse(written) as TrackOptions);
    return () => tracking.stop();
  }, [media, written]);
  return setMedia;
}

export interface TrackedVideoProps extends ComponentPropsWithoutRef<'video'> {
  /** As for `track()`; undefined tracks nothing. */
  readonly tracking: TrackOptions | undefined;
}

/** A `<video>` that is tracked; its `ref` is the element. */
export const TrackedVideo = forwardRef<HTMLVideoElement, TrackedVideoProps>(function TrackedVideo(
  { tracking, ...attributes },
  ref,
) {
  const attach = useTracking(tracking);
  const pass = usePassedOn(ref);
  const both = useCallback(
    (media: HTMLVideoElement | null) => {
      attach(media);
      pass(media);
    },
    [attach, pass],
  );
  return createElement('video', { ...attributes, ref: both });
});

/** Serves the page's own `ref` of either kind; since React 19 it may return what undoes it. */
function usePassedOn<Element>(ref: ForwardedRef<Element>): (element: Element | null) => void {
  const undo = useRef<(() => void) | undefined>(undefined);
  return useCallback(
    (element: Element | null) => {
      if (undo.current) undo.current();
      else if (typeof ref === 'function') undo.current = ref(element) ?? undefined;
      else if (ref) ref.current = element;
      if (element === null) undo.current = undefined;
    },
    [ref],
  );
}
