/**
 * The link of a share, also one that was copied in part: its URL says which, the fragment is
 * the secret, and stays there.
 */

const found = /^\/shared\/([\w-]+)$/.exec(location.pathname);

/** Undefined: this is a page of somebody who signs in. */
export const shareToken = found ? `${found[1]}${location.hash.slice(1)}` : undefined;

/** What every URL inside a share ends with, so that reloading and copying it keep working. */
export const fragment = found ? location.hash : '';
