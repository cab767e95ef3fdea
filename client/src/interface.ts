/** All types of the interface; generated from docs/openapi.json by `npm run generate`. */

export type * from './interface/account.ts';
export type * from './interface/collecting.ts';
export type * from './interface/folders.ts';
export type * from './interface/information.ts';
export type * from './interface/keys.ts';
export type * from './interface/ledger.ts';
export type * from './interface/packages.ts';
export type * from './interface/problem.ts';
export type * from './interface/service.ts';
export type * from './interface/statistics.ts';
export type * from './interface/videos.ts';
