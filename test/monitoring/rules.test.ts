/**
 * The alerts, as Prometheus judges them: of series that are absent, new, NaN, at rest and wrong.
 * `promtool` is in Debian's package `prometheus`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../support/service.ts';

const execute = promisify(execFile);
const rules = join(import.meta.dirname, '../../deploy/prometheus/playmeter-rules.yaml');

/** Values of scrapes: `NaN`, `_` for none, or a number; with how many there are, each so much more. */
const scrapes = (value: number | '_', count: number, step = 0) =>
  Array.from({ length: count }, (_, index) => (value === '_' ? '_' : value + index * step));

/** By name and labels, and the node. */
type Series = Readonly<Record<string, readonly (number | '_')[]>>;
/** After so many minutes these alerts fire, and no other one: "alert node". */
type Firing = readonly [minutes: number, ...firing: string[]];

interface Case {
  readonly name: string;
  /** Minutes between scrapes; default: 1. */
  readonly every?: number;
  readonly series: Series;
  readonly firing: readonly Firing[];
}

const failed = (node: string, route: string, status: number) =>
  `playmeter_http_request_seconds_count{instance="${node}", route="${route}", status="${status}"}`;
const of = (node: string, metric: string) => `playmeter_${metric}{instance="${node}"}`;

/** A node on which all is well for five hours. */
const atRest: Series = {
  'up{instance="a"}': scrapes(1, 300),
  [of('a', 'statistics_ready')]: scrapes(1, 300),
  [of('a', 'catalog_answer_seconds')]: [NaN, ...scrapes(0.01, 300)],
  [of('a', 'erasures_open')]: [NaN, ...scrapes(0, 300)],
  [of('a', 'store_mutations')]: [NaN, ...scrapes(0, 300)],
  [of('a', 'journal_damaged_total')]: scrapes(0, 300),
  [of('a', 'journal_refused_facts_total')]: scrapes(0, 300),
  [of('a', 'worker_restarts_total')]: scrapes(0, 300),
  [of('a', 'engine_restarts_total')]: scrapes(2, 300),
  [of('a', 'process_open_fds')]: scrapes(60, 300),
  [of('a', 'process_max_fds')]: scrapes(1_024, 300),
  [of('a', 'backup_age_seconds')]: scrapes(0, 300, 60),
  [of('a', 'verify_age_seconds')]: scrapes(0, 300, 60),
  [of('a', 'export_overdue_seconds')]: scrapes(NaN, 300),
  [of('a', 'disk_free_bytes')]: scrapes(900, 300),
  [of('a', 'disk_size_bytes')]: scrapes(1_000, 300),
  [of('a', 'beacons_received_total')]: scrapes(100, 300),
  [of('a', 'beacons_unavailable_total')]: scrapes(0, 300),
  [of('a', 'log_lost_lines_total')]: scrapes(5, 300),
  [of('a', 'cluster_clock_skew_seconds')]: scrapes(NaN, 300),
};

/** What failed long ago, when nobody looked. */
const longAgo: Series = {
  [failed('a', '/report/x', 503)]: scrapes(7, 300),
  [failed('a', '/report/x', 500)]: scrapes(7, 300),
  'playmeter_connections_closed_total{instance="a", bound="all"}': scrapes(7, 300),
  'playmeter_deliveries_total{instance="a", channel="mail", outcome="failed"}': scrapes(7, 300),
};

const cases: readonly Case[] = [
  {
    name: 'no node is scraped at all',
    series: {},
    firing: [
      [5, 'Down'],
      [180, 'Down'],
    ],
  },
  { name: 'all is well', series: { ...atRest, ...longAgo }, firing: [[100], [240]] },
  {
    name: 'the database of the catalog is dead',
    series: { ...atRest, [of('a', 'catalog_answer_seconds')]: [0.01, ...scrapes(NaN, 60)] },
    firing: [[9], [20, 'CatalogSlow a']],
  },
  {
    name: 'a dashboard that is reloaded once a minute gets 503; so does the first question of all',
    series: {
      ...atRest,
      [failed('a', '/report/x', 503)]: [...scrapes('_', 90), ...scrapes(1, 60, 1)],
      [failed('b', '/report/x', 503)]: [...scrapes('_', 90), ...scrapes(1, 60)],
    },
    firing: [
      [89],
      [94, 'QuestionsUnavailable a', 'QuestionsUnavailable b'],
      [110, 'QuestionsUnavailable a'],
    ],
  },
  {
    name: 'a burst of 500 begins',
    series: { ...atRest, [failed('a', '/x', 500)]: [...scrapes('_', 90), ...scrapes(12, 60)] },
    firing: [[89], [90, 'RequestsFail a'], [98, 'RequestsFail a'], [110]],
  },
  {
    name: 'an erasure and mutations are no trouble until two hours after a start',
    series: {
      ...atRest,
      [of('a', 'erasures_open')]: [NaN, ...scrapes(1, 300)],
      [of('a', 'store_mutations')]: [NaN, ...scrapes(3, 300)],
      [of('b', 'erasures_open')]: [...scrapes(1, 100), 0, ...scrapes(1, 119)],
    },
    firing: [[10], [119], [123, 'ErasureStuck a', 'MutationsStuck a']],
  },
  {
    name: 'a start finds the journal damaged, and another one facts that are refused',
    series: {
      [of('a', 'journal_damaged_total')]: ['_', ...scrapes(1, 90), ...scrapes(0, 60)],
      [of('b', 'journal_refused_facts_total')]: ['_', ...scrapes(9, 90), ...scrapes(0, 60)],
      'up{instance="a"}': scrapes(1, 150),
    },
    firing: [[80, 'JournalDamaged a', 'JournalDamaged b'], [100]],
  },
  {
    name: 'workers end, descriptors run out, lines of the log are lost',
    series: {
      ...atRest,
      [of('a', 'worker_restarts_total')]: [...scrapes(0, 60), ...scrapes(0, 20, 1)],
      [of('a', 'process_open_fds')]: [...scrapes(60, 60), ...scrapes(900, 20)],
      [of('a', 'log_lost_lines_total')]: [...scrapes(0, 60), ...scrapes(5, 20)],
    },
    firing: [[59], [70, 'Descriptors a', 'LogLost a', 'WorkerRestarts a']],
  },
  {
    name: 'nothing was ever backed up or verified, or long ago',
    every: 5,
    series: {
      'up{instance="a"}': scrapes(1, 400),
      [of('a', 'backup_age_seconds')]: scrapes(NaN, 400),
      [of('a', 'verify_age_seconds')]: scrapes(NaN, 400),
      [of('b', 'verify_age_seconds')]: scrapes(36 * 86_400, 400, 300),
    },
    firing: [[55], [600, 'BackupOld a'], [1_500, 'BackupOld a', 'VerifyOld a', 'VerifyOld b']],
  },
  {
    name: 'a disk is full within days; another one is of a node that is new, and writes much at first',
    every: 5,
    series: {
      'up{instance="a"}': scrapes(1, 150),
      [of('a', 'disk_free_bytes')]: scrapes(900, 150, -2),
      [of('a', 'disk_size_bytes')]: scrapes(1_000, 150),
      [of('b', 'disk_free_bytes')]: [...scrapes(990, 12, -10), ...scrapes(870, 138)],
      [of('b', 'disk_size_bytes')]: scrapes(1_000, 150),
    },
    firing: [[60], [350], [420, 'DiskFilling a']],
  },
];

test.each(cases)('$name', async ({ every = 1, series, firing }) => {
  const input = Object.entries(series).map(([name, values]) => ({
    series: name.replace('{', '{job="playmeter", '),
    values: values.join(' '),
  }));
  const expected = firing.map(([minutes, ...names]) => ({
    expr: 'count by (alertname, instance) (ALERTS{alertstate="firing"})',
    eval_time: `${minutes}m`,
    exp_samples: names.map((name) => {
      const [alert, node] = name.split(' ');
      const instance = node === undefined ? '' : `, instance="${node}"`;
      return { labels: `{alertname="Playmeter${alert}"${instance}}`, value: 1 };
    }),
  }));
  const file = join(await newFolder(), 'rules.json');
  const tests = [{ interval: `${every}m`, input_series: input, promql_expr_test: expected }];
  const content = { rule_files: [rules], evaluation_interval: '1m', tests };
  await writeFile(file, JSON.stringify(content));
  const said = await promtool('test', 'rules', file);
  expect(said).toContain('SUCCESS');
});

test('the metrics are written as Prometheus advises', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const file = join(await newFolder(), 'metrics');
  await writeFile(file, await (await service.request('/metrics')).text());
  expect(await promtool('check', 'metrics', '<', file)).toBe('');
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** What it prints, whether it succeeds or not. */
async function promtool(...words: string[]): Promise<string> {
  return execute('sh', ['-c', `promtool ${words.join(' ')} 2>&1`], { maxBuffer: 1 << 24 }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}
