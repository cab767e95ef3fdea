/** The tables of the statistics, for the verb that brings them up to date. */
export type { TableAdmin } from '../store/facts.ts';
