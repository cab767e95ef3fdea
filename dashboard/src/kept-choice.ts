/**
 * What the reader chose, in the browser's storage. Where a page is embedded in another site, a
 * browser may refuse even to look there: then nothing is kept.
 */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The choice holds until the page is left.
  }
}
