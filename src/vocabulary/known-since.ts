/**
 * Since when facts know what a record is made of: the name of the migration that brought it
 * (store/migrations/migrations.ts), or `ever`. `schema` shows when that migration was applied.
 */
export type KnownSince = 'ever' | `${number}-${string}`;
