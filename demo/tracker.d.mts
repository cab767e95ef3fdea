/** What the page imports as `../tracker.mjs`: the server builds it from the tracker's sources. */
export { track } from '../tracker/src/index.ts';
