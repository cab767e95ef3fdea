/**
 * What `npm run test:all` runs beside `npm test`, in groups that can be run one by one. A file
 * belongs to a group where it repeats what others show with real processes, faults, attacks or other
 * systems; every file that is in none is run by `npm test`.
 */
export const groups = {
  attacks: ['test/attacks'],
  faults: ['test/faults'],
  releases: ['test/start', 'test/packing'],
  deployment: ['test/deploy', 'test/proxy'],
} as const satisfies Record<string, readonly string[]>;
