/**
 * npm run bench [-- [--quick] [figure ...]]: measures, prints a table, writes results.json and,
 * at full size, the charts in docs/. A run of single figures keeps the others of results.json.
 * With --cluster: clusters beside one node, which a run without names leaves out.
 * With --keep FOLDER: the year of `audience` is filled there once, and asked again that day.
 */
import { parseArgs } from 'node:util';
import type { Figure, Measured, Series } from './figure.ts';
import { acknowledgement } from './figures/acknowledgement.ts';
import { afterImport } from './figures/after-import.ts';
import { audience } from './figures/audience.ts';
import { batches } from './figures/batches.ts';
import { beaconsImport } from './figures/beacons-import.ts';
import { besideBackup } from './figures/beside-backup.ts';
import { cluster } from './figures/cluster.ts';
import { dashboard } from './figures/dashboard.ts';
import { lateBeacons } from './figures/late-beacons.ts';
import { library } from './figures/library.ts';
import { manyAccounts } from './figures/many-accounts.ts';
import { memory } from './figures/memory.ts';
import { questions } from './figures/questions.ts';
import { requests } from './figures/requests.ts';
import { start } from './figures/start.ts';
import { tracker } from './figures/tracker.ts';
import { userAgentFigure } from './figures/user-agents.ts';
import { workers } from './figures/workers.ts';
import { drawCharts } from './record/charts.ts';
import { writeResults } from './record/results.ts';
import { tableOf } from './record/table.ts';
import { full, quick } from './size.ts';

const all: readonly Figure[] = [
  tracker,
  userAgentFigure,
  start,
  memory,
  requests,
  acknowledgement,
  lateBeacons,
  batches,
  beaconsImport,
  afterImport,
  besideBackup,
  library,
  dashboard,
  questions,
  audience,
  manyAccounts,
  workers,
  cluster,
];

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
  allowPositionals: true,
});
const named = [...positionals, ...(values.cluster ? [cluster.name] : [])];
const unknown = named.filter((name) => !all.some((figure) => figure.name === name));
if (unknown.length > 0) {
  const names = all.map(({ name }) => name).join(', ');
  console.error(`There is no figure ${unknown.join(', ')}. There are: ${names}`);
  process.exit(2);
}

const size = values.quick ? quick : full;
const chosen = all.filter(({ name }) =>
  named.length === 0 ? name !== cluster.name : named.includes(name),
);
const figures: Record<string, readonly Measured[]> = {};
const series: Series[] = [];
for (const figure of chosen) {
  const startedAt = performance.now();
  const say = (line: string) => console.error(`${figure.name}: ${line}`);
  const outcome = await figure.measure(size, say, { keptIn: values.keep }).catch((error) => {
    // The others are still measured.
    console.error(`${figure.name}: failed:`, error);
    process.exitCode = 1;
    return undefined;
  });
  if (outcome === undefined) continue;
  figures[figure.name] = outcome.measured;
  series.push(...(outcome.series ?? []));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.error(`${figure.name}: measured in ${seconds} s`);
  await writeResults(size, { [figure.name]: outcome.measured });
}
if (size.name === 'full') await drawCharts(series);
console.log(tableOf(figures));
