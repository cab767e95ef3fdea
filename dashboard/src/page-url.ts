/** The URL of the page: which page it is, and all that can be shared and gone back to. */
import {
  createContext,
  useContext,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { inThisAccount } from './account-in-url.ts';
import { fragment } from './sharing/share-token.ts';

export interface PageUrl {
  readonly path: string;
  readonly search: URLSearchParams;
}

const changed = 'playmeter-url';

/** That of what is drawn: while another page is on its way, still that of the last one. */
export const PageUrlContext = createContext<PageUrl | undefined>(undefined);

export function usePageUrl(): PageUrl {
  const url = useContext(PageUrlContext);
  if (url === undefined) throw new Error('There is no URL outside of PageUrlContext');
  return url;
}

/** The browser's own, as soon as it changes. */
export function useLocation(): PageUrl {
  const href = useSyncExternalStore(listen, () => location.href);
  return useMemo(() => {
    const { pathname: path, searchParams: search } = new URL(href);
    return { path, search };
  }, [href]);
}

/** Another page is drawn apart from the click on it, which is answered first. */
export function useShownUrl(url: PageUrl): PageUrl {
  const last = useDeferredValue(url);
  return last.path === url.path ? url : last;
}

/** A page that was drawn begins at its top; one that the reader goes back to, where it was left. */
export function useScroll({ path }: PageUrl): void {
  const last = useRef(path);
  useLayoutEffect(() => {
    if (last.current === path) return;
    last.current = path;
    window.scrollTo(0, history.state?.top ?? 0);
  }, [path]);
}

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  const href = inThisAccount(to);
  if (how === 'push') {
    history.replaceState({ ...history.state, top: scrollY }, '');
    history.pushState({ isInside: true }, '', href);
  } else history.replaceState(history.state, '', href);
  window.dispatchEvent(new Event(changed));
}

/** The same page with other members; undefined removes one. */
export function withSearch(
  { path, search }: PageUrl,
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
