/** The ES module: `import { track } from '@playmeter/tracker'`. */
export { type Tracking, type TrackOptions, track } from './track.ts';
