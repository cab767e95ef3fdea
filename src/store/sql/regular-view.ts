/** What the check of views (regular-views.ts) and the questions agree on. */

/** SQL of a number for a view of one video in one package, below the numbers of viewers. */
export const viewNumber = `bitAnd(cityHash64(packageId, videoId, view), ${2n ** 62n - 1n})`;

/** Accounts with fewer plays are not checked: telling their views apart takes no time. */
export const leastPlaysToCheck = 250_000;
