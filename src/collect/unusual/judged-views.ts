/**
 * What is remembered of views that were judged, in bounded memory. Suspect views are remembered
 * apart, so that a flood of them forgets no usual one. A usual view that was forgotten is judged
 * again as a new one.
 */
import { LRUCache } from 'lru-cache';
import type { Fact } from '../../facts/facts.ts';

/** Views and their stretches together: some 100 MB where each view has one stretch. */
const mostRemembered = 300_000;
export const mostSuspectViews = 100_000;
/** Of a view with more, the oldest are forgotten: only those sent again count a second time. */
const mostStretchesOfView = 128;

/** A view of one video on one system: what the store counts as one. */
export type ViewIdentity = Pick<Fact, 'packageId' | 'videoId' | 'os' | 'osVersion' | 'view'>;

export interface UsualView {
  /** Time of all its stretches that is usual. */
  readonly usualMs: number;
  /** Each stretch's number and its usual time in turn: a list takes far less than a map. */
  readonly stretches: readonly number[];
  /** The suspect that all its further time belongs to. */
  readonly beyond: string | undefined;
}

/** What is usual of a stretch. */
export function usualMsOf({ stretches }: UsualView, stretch: number): number {
  return stretches[placeOf(stretches, stretch) + 1] ?? 0;
}

/** Beyond the end if it is not there. */
function placeOf(stretches: readonly number[], stretch: number): number {
  let place = 0;
  while (place < stretches.length && stretches[place] !== stretch) place += 2;
  return place;
}

export interface JudgedViews {
  /** The suspect that the whole view belongs to. */
  suspectOf(name: string): string | undefined;
  usualOf(name: string): UsualView | undefined;
  setApart(name: string, suspect: string): void;
  /** Remembers a view as usual. */
  admit(name: string): UsualView;
  /** Remembers that `stretch` of a usual view is usual up to `usualMs`. */
  grow(name: string, view: UsualView, stretch: number, usualMs: number): UsualView;
  /** From now on further time of the view belongs to this suspect. */
  end(name: string, view: UsualView, suspect: string): UsualView;
}

/** Held by this memory alone, and so changed in place. */
interface HeldView {
  usualMs: number;
  readonly stretches: number[];
  readonly beyond: string | undefined;
}

export function createJudgedViews(): JudgedViews {
  const suspects = new LRUCache<string, string>({ max: mostSuspectViews });
  const usual = new LRUCache<string, HeldView>({
    max: mostRemembered / 2,
    maxSize: mostRemembered,
    sizeCalculation: ({ stretches }) => Math.max(2, 1 + stretches.length / 2),
  });
  const keep = (name: string, view: HeldView): UsualView => {
    usual.set(name, view);
    return view;
  };
  return {
    suspectOf: (name) => suspects.get(name),
    usualOf: (name) => usual.get(name),
    setApart: (name, suspect) => void suspects.set(name, suspect),
    admit: (name) => keep(name, { usualMs: 0, stretches: [], beyond: undefined }),
    grow(name, view, stretch, usualMs) {
      const held = view as HeldView;
      const { stretches } = held;
      const place = placeOf(stretches, stretch);
      const isFurther = place > 0 && place === stretches.length;
      held.usualMs += usualMs - (stretches[place + 1] ?? 0);
      stretches[place] = stretch;
      stretches[place + 1] = usualMs;
      // The room of a first stretch was taken with the view.
      if (!isFurther) return held;
      if (stretches.length > 2 * mostStretchesOfView) stretches.splice(0, 2);
      return keep(name, { ...held });
    },
    end: (name, view, suspect) => keep(name, { ...(view as HeldView), beyond: suspect }),
  };
}

/** Packages and videos have ids of their own in all accounts. */
export function nameOfView({ packageId, videoId, os, osVersion, view }: ViewIdentity): string {
  return `${view} ${packageId} ${videoId} ${os}/${osVersion}`;
}
