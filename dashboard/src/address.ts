/** The address of the page: which page it is, and all that can be shared and gone back to. */
import { useMemo, useSyncExternalStore } from 'react';
import { fragment } from './sharing/share-token.ts';

export interface Address {
  readonly path: string;
  readonly search: URLSearchParams;
}

const changed = 'playmeter-address';

export function useAddress(): Address {
  const href = useSyncExternalStore(listen, () => location.href);
  return useMemo(() => {
    const { pathname: path, searchParams: search } = new URL(href);
    return { path, search };
  }, [href]);
}

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState({ isInside: true }, '', to);
  else history.replaceState(history.state, '', to);
  window.dispatchEvent(new Event(changed));
}

/** The same page with other members; undefined removes one. */
export function withSearch(
  { path, search }: Address,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return (next.size === 0 ? path : `${path}?${next}`) + fragment;
}

function listen(notice: () => void): () => void {
  window.addEventListener('popstate', notice);
  window.addEventListener(changed, notice);
  return () => {
    window.removeEventListener('popstate', notice);
    window.removeEventListener(changed, notice);
  };
}
