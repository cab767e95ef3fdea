/** The parts of the code that `npm run mutate` judges the tests of. */

export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Whether its tests store facts: in the engine that all share, not in a cluster beside it. */
  readonly needsEngine?: true;
}

const factsWithoutStore =
  'src/facts/{journal,journal-file,journal-frame,journal-segments,replay-journal,refused-files,' +
  'bring-up,fact-batch,fact-writing,store-clock,table,unsettled-days}.ts';
const factsOfHosts =
  'src/facts/{cluster-access,cluster-store,follow-skew,prepare-cluster,settle-days,topology,' +
  'verdicts,watch-hosts,whole-file}.ts';
const factsOfSums =
  'src/facts/{account-slots,bound-array,day-sums,find-shrunk,follow-verdicts,followed-sums,' +
  'roll-up,roll-up-progress,shrink-sums,slot,slot-sums,sum-again,sum-slots,sum-touched,sums,' +
  'touched-notes,accepted-suspects}.ts';
const factsOfErasing =
  'src/facts/{check-counts,check-journal,check-marks,check-parts,check-peaks,check-sums,' +
  'erase-facts,erased-facts,fact-upkeep,repair-sums,sieve-erased,sum-without,suspect-views,' +
  'suspects}.ts';
const factsOfDays =
  'src/facts/{account-days,attributes,audience-days,audience-groupings,audience-tables,' +
  'count-days,counted-time,day-values,facts-of-days,keep-peaks,kept-days,peak-upkeep,peaks,' +
  'range-union,regular-view,regular-views,seen-of-days,unkept-peaks,view-upkeep}.ts';

const factsOfOpening =
  'src/facts/{column-types,early-migrations,fact-metrics,freeze-tables,migrate,migrations,' +
  'open-facts,open-store,require-answer,schema,store-ready,table-desk}.ts';

/**
 * The code of each area, and the tests run against it: those that run the code in their own
 * process, since a fault is put into that process alone. Faults that let a test wait cost its whole
 * timeout, so slow tests have no place here.
 */
export const areas: Readonly<Record<string, Area>> = {
  // In three: what is tested without a store, which hosts make one up, and what needs it.
  journal: {
    mutate: [factsWithoutStore],
    tests: [
      'src/facts/journal*.test.ts',
      'src/facts/{bring-up,fact-batch,fact-writing,store-clock,table,unsettled-days}.test.ts',
    ],
  },
  hosts: {
    mutate: [factsOfHosts],
    tests: [
      'src/facts/{cluster-access,cluster-store,follow-skew}.test.ts',
      'src/facts/{prepare-replicated,prepare-shards}.test.ts',
      'src/facts/{settle-days,topology,verdicts,watch-hosts,whole-file}.test.ts',
    ],
  },
  // The latter in five: sums and their roll-up; what checks, erases and sets apart; days of
  // audiences, and peaks; tables, migrations and opening; and what is asked of the store.
  sums: {
    mutate: [factsOfSums],
    tests: [
      'src/facts/{accepted-suspects,bound-array,follow-verdicts,followed-sums}.test.ts',
      'src/facts/{roll-up,roll-up-loops,roll-up-progress,shrink-sums,slot-sums,sums}.test.ts',
      'src/store/sums/touched-slots.test.ts',
    ],
    needsEngine: true,
  },
  erasing: {
    mutate: [factsOfErasing],
    tests: [
      'src/facts/{check-journal,check-parts,erase-facts,erased-facts,fact-upkeep}.test.ts',
      'src/facts/{sieve-erased,suspects}.test.ts',
    ],
    needsEngine: true,
  },
  days: {
    mutate: [factsOfDays],
    tests: [
      'src/facts/{account-days,count-days,day-values,keep-peaks,kept-days}.test.ts',
      'src/facts/{roll-up-progress,view-upkeep}.test.ts',
    ],
    needsEngine: true,
  },
  opening: {
    mutate: [factsOfOpening],
    tests: [
      'src/facts/{fact-metrics,freeze-tables,migrate,open-facts,open-store}.test.ts',
      'src/facts/{schema,table-desk}.test.ts',
    ],
    needsEngine: true,
  },
  facts: {
    mutate: [
      'src/facts/*.ts',
      ...[
        ...[factsWithoutStore, factsOfHosts, factsOfSums, factsOfErasing, factsOfDays],
        factsOfOpening,
      ].map((others) => `!${others}`),
    ],
    tests: [
      'src/facts/{event-log,fact-reader,fact-store,ledger-store,store-failure}.test.ts',
      'src/facts/{store-health,written-rows}.test.ts',
    ],
    needsEngine: true,
  },
  spool: { mutate: ['src/spool/**/*.ts'], tests: ['src/spool/**/*.test.ts'] },
  collect: {
    mutate: ['src/collect/*.ts'],
    tests: ['src/collect/*.test.ts', 'test/collect/{collector,asking-others}.test.ts'],
  },
  cmcd: {
    mutate: ['src/collect/cmcd/*.ts'],
    tests: ['src/collect/cmcd/*.test.ts'],
  },
  signing: {
    mutate: ['src/collect/signing/*.ts'],
    tests: ['src/collect/signing/*.test.ts'],
  },
  audience: {
    mutate: ['src/collect/audience/*.ts'],
    tests: ['src/collect/audience/*.test.ts'],
  },
  viewers: {
    mutate: ['src/collect/viewers/*.ts'],
    tests: ['src/collect/viewers/*.test.ts'],
  },
  unusual: {
    mutate: ['src/collect/unusual/*.ts', 'src/lib/{number-table,token-bucket}.ts'],
    tests: ['src/collect/unusual/*.test.ts', 'src/lib/{number-table,token-bucket}.test.ts'],
  },
  'player-log': {
    mutate: ['src/collect/player-log/*.ts'],
    tests: ['src/collect/player-log/*.test.ts'],
  },
  systems: {
    mutate: ['src/collect/operating-system/*.ts', '!**/*-rules.ts'],
    tests: ['src/collect/operating-system/*.test.ts'],
  },
  'system-rules': {
    mutate: ['src/collect/operating-system/*-rules.ts'],
    tests: ['src/collect/enrich/system/operating-system.test.ts'],
  },
  // Answers in a folder each; what they share, and the sums of v1, is beside these folders.
  report: {
    mutate: ['src/report/*.ts'],
    tests: [
      'src/report/*.test.ts',
      'src/report/{query,curves}/{answer,compile,create,plan}-*.test.ts',
      'src/query/query-service.test.ts',
    ],
  },
  query: { mutate: ['src/report/query/*.ts'], tests: ['src/report/query/*.test.ts'] },
  curves: { mutate: ['src/report/curves/*.ts'], tests: ['src/report/curves/*.test.ts'] },
  filters: {
    mutate: ['src/report/filters/*.ts'],
    tests: ['src/report/filters/*.test.ts'],
    needsEngine: true,
  },
  export: {
    mutate: ['src/report/export/*.ts'],
    tests: ['src/report/export/*.test.ts'],
    needsEngine: true,
  },
  shares: { mutate: ['src/report/shared/*.ts'], tests: ['src/report/shared/*.test.ts'] },
  direct: {
    mutate: [
      'src/api/{direct-beacons,read-beacons,body-room,address-limit,gather-pieces}.ts',
      'src/api/{most-items,refuse-repeated-headers,sender-address,sender-of}.ts',
      'src/lib/values/json-text.ts',
    ],
    tests: [
      'src/api/{read-beacons,body-room,address-limit,gather-pieces}.test.ts',
      'src/api/{most-items,refuse-repeated-headers,sender-address,sender-of}.test.ts',
      'src/lib/values/json-text.test.ts',
      'test/api/direct-{request,room}.test.ts',
    ],
  },
  engine: {
    mutate: ['src/engine/engine-settings.ts'],
    tests: ['src/engine/engine-settings.test.ts'],
  },
};
