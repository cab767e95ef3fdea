export type { Beacons } from './beacons.ts';
export type { CallOptions, ConnectionOptions as PlaymeterOptions } from './connection.ts';
export type { Dashboard } from './dashboard.ts';
export type { Information } from './information.ts';
export type * from './interface.ts';
export type { Managing } from './managing.ts';
export type { Page, Pages } from './pages.ts';
export { Playmeter } from './playmeter.ts';
export { PlaymeterError, type PlaymeterErrorCode } from './playmeter-error.ts';
export type {
  QueryDimension,
  QueryMeasure,
  QueryPages,
  QueryParameters,
  QueryRowOf,
} from './query.ts';
export type { Statistics } from './statistics.ts';
