/**
 * npm run mutate [AREA ...]: puts one small fault after another into the code and counts which of
 * them the tests notice. A result is kept and reused until its code or tests change. The scores,
 * and the faults that may stay, stand in docs/decisions/mutation-testing.md.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/** Percent of the faults in an area that its tests have to notice. */
const leastScore = 85;

interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Whether its tests store facts. */
  readonly needsEngine?: true;
}

const factsWithoutStore =
  'src/facts/{journal,journal-file,journal-frame,journal-segments,replay-journal,refused-files,' +
  'bring-up,fact-batch,fact-writing,store-clock,table,unsettled-days}.ts';

/**
 * The code of each area, and the tests run against it: those that run the code in their own
 * process, since a fault is put into that process alone. Faults that let a test wait cost its whole
 * timeout, so slow tests have no place here.
 */
const areas: Readonly<Record<string, Area>> = {
  // The facts, in two: what is tested without a store, and what needs one.
  journal: {
    mutate: [factsWithoutStore],
    tests: [
      'src/facts/journal*.test.ts',
      'src/facts/{bring-up,fact-batch,fact-writing,store-clock,table,unsettled-days}.test.ts',
    ],
  },
  facts: {
    mutate: ['src/facts/*.ts', `!${factsWithoutStore}`],
    tests: ['src/facts/*.test.ts', 'test/contract/facts.test.ts'],
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
    mutate: ['src/collect/unusual/*.ts', 'src/lib/{number-table,token-buckets}.ts'],
    tests: ['src/collect/unusual/*.test.ts', 'src/lib/{number-table,token-buckets}.test.ts'],
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
    tests: ['src/collect/operating-system/read-operating-system.test.ts'],
  },
  // Answers in a folder each; what they share, and the sums of v1, is beside these folders.
  report: {
    mutate: ['src/report/*.ts'],
    tests: [
      'src/report/*.test.ts',
      'src/report/{query/compile-query,curves/compile-curves}.test.ts',
    ],
  },
  query: { mutate: ['src/report/query/*.ts'], tests: ['src/report/query/*.test.ts'] },
  curves: { mutate: ['src/report/curves/*.ts'], tests: ['src/report/curves/*.test.ts'] },
  filters: {
    mutate: ['src/report/filters/*.ts'],
    tests: ['src/report/filters/*.test.ts'],
    needsEngine: true,
  },
  shares: { mutate: ['src/report/shared/*.ts'], tests: ['src/report/shared/*.test.ts'] },
  direct: {
    mutate: [
      'src/api/{direct-beacons,read-beacons,body-room,address-limit}.ts',
      'src/lib/read-json.ts',
    ],
    tests: [
      'src/api/{read-beacons,body-room,address-limit}.test.ts',
      'src/lib/read-json.test.ts',
      'test/api/direct-{request,room}.test.ts',
    ],
  },
  engine: {
    mutate: ['src/engine/engine-settings.ts'],
    tests: ['src/engine/engine-settings.test.ts'],
  },
};

const root = join(import.meta.dirname, '..');
const reports = join(root, 'node_modules', '.cache', 'mutation');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
});
const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}`);
  process.exit(2);
}

const scores: { area: string; faults: number; noticed: number }[] = [];
await mkdir(reports, { recursive: true });
for (const area of positionals.length > 0 ? positionals : Object.keys(areas)) {
  scores.push({ area, ...(await mutate(area)) });
}
const table = scores.map(({ area, faults, noticed }) => {
  const score = Math.round((1_000 * noticed) / faults) / 10;
  return { area, faults, noticed, score };
});
console.table(table);
await writeFile(join(reports, 'scores.json'), `${JSON.stringify(table, undefined, 2)}\n`);
if (table.some(({ score }) => score < leastScore)) process.exitCode = 1;

async function mutate(area: string): Promise<{ faults: number; noticed: number }> {
  const { mutate: code = [], tests = [], needsEngine = false } = areas[area] ?? {};
  // Read by vitest.mutate.config.ts, a pattern a line because patterns may hold commas.
  process.env.MUTATED_BY = tests.join('\n');
  process.env.MUTATED_WITH_ENGINE = String(needsEngine);
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    mutate: [...code, '!**/*.test.ts'],
    // Messages and names would have to be repeated in the tests; exact SQL is asserted elsewhere.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 15,
    incremental: true,
    incrementalFile: join(reports, `${area}.kept.json`),
    // TypeScript 7 has no programming interface that Stryker could rewrite a configuration with.
    tsconfigFile: 'none',
    tempDirName: 'node_modules/.cache/stryker',
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, allowColor: false },
    jsonReporter: { fileName: join(reports, `${area}.json`) },
  }).runMutationTest();
  const judged = results.filter(({ status }) => status !== 'Ignored');
  const noticed = judged.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  return { faults: judged.length, noticed: noticed.length };
}
