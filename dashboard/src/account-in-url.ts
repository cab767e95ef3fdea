/** The account of a person, which every URL of theirs names, so that a link opens the right one. */

const name = 'account';

/** Undefined: the first of the person, or that of the key. */
export function accountInUrl(): string | undefined {
  return new URLSearchParams(location.search).get(name) ?? undefined;
}

/** The same place with the account that this page is of. */
export function inThisAccount(href: string): string {
  const accountId = accountInUrl();
  if (accountId === undefined || !href.startsWith('/')) return href;
  return inAccount(href, accountId);
}

export function inAccount(href: string, accountId: string | number): string {
  const { pathname, searchParams, hash } = new URL(href, location.origin);
  searchParams.set(name, String(accountId));
  return `${pathname}?${searchParams}${hash}`;
}

/** Once it is known, before anything is asked of it. */
export function nameAccount(accountId: number): void {
  if (accountInUrl() === String(accountId)) return;
  const { pathname, search, hash } = location;
  history.replaceState(history.state, '', inAccount(pathname + search + hash, accountId));
}

/** Whoever signs in next may be in others. */
export function forgetAccount(): void {
  const { pathname, searchParams, hash } = new URL(location.href);
  searchParams.delete(name);
  const search = searchParams.size === 0 ? '' : `?${searchParams}`;
  history.replaceState(history.state, '', pathname + search + hash);
}
