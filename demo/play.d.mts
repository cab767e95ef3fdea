/** What the page imports as `../play.mjs`: the server builds it from the tracker's sources. */
export { track } from '../tracker/src/index.ts';
