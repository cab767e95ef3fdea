/** The parts of the code that `npm run mutate` judges the tests of: mostly a room of src each. */

export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Whether its tests store facts: in the engine that all share, not in a cluster beside it. */
  readonly needsEngine?: true;
}

/** The files that lie in these folders of src, and the tests that lie beside them. */
function rooms(...folders: readonly string[]): Area {
  return {
    mutate: folders.map((folder) => `src/${folder}/*.ts`),
    tests: folders.map((folder) => `src/${folder}/*.test.ts`),
  };
}

const withEngine = (area: Area): Area => ({ ...area, needsEngine: true });

const pipeline = rooms('collect', 'collect/steps', 'collect/forms/beacon', 'collect/forms/import');
const direct = {
  'src/http/beacons': '{direct-beacons,sender}',
  'src/http/limits': '{byte-limits,rate-limits}',
  'src/http/server': '{repeated-headers,sender-address}',
  'src/lib/values': 'json-text',
};

/**
 * The code of each area, and the tests run against it: those that run the code in their own
 * process, since a fault is put into that process alone. Faults that let a test wait cost its whole
 * timeout, so slow tests have no place here.
 */
export const areas: Readonly<Record<string, Area>> = {
  journal: rooms('store/journal'),
  'store-client': withEngine(rooms('store/client')),
  cluster: withEngine(rooms('store/cluster', 'store/migrations')),
  tables: withEngine(rooms('store', 'store/tables', 'store/verify')),
  sums: withEngine(rooms('store/sums', 'store/roll-up', 'store/sql')),
  days: withEngine(rooms('store/days')),
  facts: withEngine(rooms('store/facts', 'store/erasure')),
  spool: rooms('collect/spool'),
  collect: {
    ...pipeline,
    tests: [...pipeline.tests, 'test/collect/{collector,asking-others}.test.ts'],
  },
  'dimension-limits': rooms('collect/dimension-limits'),
  cmcd: rooms('collect/forms/cmcd'),
  'player-log': rooms('collect/forms/player-log'),
  signing: rooms('collect/signing'),
  enrich: rooms('collect/enrich', 'collect/enrich/browser', 'collect/enrich/country'),
  viewers: rooms('collect/enrich/viewer'),
  systems: {
    mutate: ['src/collect/enrich/system/*.ts', '!**/*-rules.ts'],
    tests: ['src/collect/enrich/system/*.test.ts'],
  },
  'system-rules': {
    mutate: ['src/collect/enrich/system/*-rules.ts'],
    tests: ['src/collect/enrich/system/operating-system.test.ts'],
  },
  abuse: {
    mutate: ['src/collect/abuse/*.ts', 'src/lib/{values/number-table,limits/token-bucket}.ts'],
    tests: [
      'src/collect/abuse/*.test.ts',
      'src/lib/{values/number-table,limits/token-bucket}.test.ts',
    ],
  },
  planner: rooms('query', 'query/plan', 'query/compile', 'query/run', 'query/present'),
  ranges: {
    ...rooms('query/ranges'),
    tests: ['src/query/ranges/*.test.ts', 'src/query/{*,run/*,plan/*}.test.ts'],
  },
  parse: rooms('query/parse'),
  labels: withEngine(rooms('query/labels')),
  curves: {
    ...rooms('query/concurrency', 'query/live', 'query/retention'),
    tests: ['src/query/{concurrency,live,retention}/*.test.ts', 'src/query/curve-*.test.ts'],
  },
  export: withEngine(rooms('query/export')),
  shares: rooms('query/shares'),
  direct: {
    mutate: Object.entries(direct).map(([folder, names]) => `${folder}/${names}.ts`),
    tests: [
      ...Object.entries(direct).map(([folder, names]) => `${folder}/${names}.test.ts`),
      'test/api/direct-{request,room}.test.ts',
    ],
  },
  engine: {
    mutate: ['src/engine/engine-settings.ts'],
    tests: ['src/engine/engine-settings.test.ts'],
  },
};
