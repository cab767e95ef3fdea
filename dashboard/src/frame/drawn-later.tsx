import { type ReactNode, useDeferredValue } from 'react';
import { PageUrlContext, usePageUrl } from '../page-url.ts';

/**
 * Drawn apart from a click that changes the URL: what was clicked answers first. The children
 * are those of the URL that is drawn, or they would be drawn with the click as well.
 */
export function DrawnLater({ children }: { readonly children: ReactNode }) {
  const url = useDeferredValue(usePageUrl());
  const drawn = useDeferredValue(children);
  return <PageUrlContext value={url}>{drawn}</PageUrlContext>;
}
