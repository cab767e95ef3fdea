/** The tables of the statistics, for the verb that brings them up to date. */
export type { TableDesk } from '../facts/facts.ts';
