/** What is exposed, what docs/operating.md lists, and what dashboard and alerts ask for agree. */
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { pino } from 'pino';
import type { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { superviseWorkers } from '../../src/app/workers/supervisor.ts';
import { lookEveryMs } from '../../src/lib/time/periodic-reading.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Exposed where CLICKHOUSE_URL is set, beside those of every service. */
const ofServers = ['playmeter_store_disk_free_bytes', 'playmeter_store_disk_size_bytes'];
/** Exposed where CLICKHOUSE_CLUSTER is set. */
const ofClusters = [...ofServers, 'playmeter_cluster_clock_skew_seconds'];
/** Made by Prometheus itself. */
const ofPrometheus = ['up'];
const ofScraping = ['job', 'instance'];

let service: TestService;
let exposition: string;
/** By name, as the registries know them. */
const labels = new Map<string, readonly string[]>();
beforeAll(async () => {
  // With the bundled engine, as most services are run.
  const environment = { CLICKHOUSE_URL: '', CLICKHOUSE_DATABASE: 'playmeter' };
  service = await startTestService({ environment, clock: hurriedClock(lookEveryMs) });
  await waitUntil('the stores to be looked at', async () => {
    exposition = await scrape();
    return /^playmeter_store_parts \d+$/m.test(exposition);
  });
  const supervisor = await ofSupervisor();
  exposition += await supervisor.metrics();
  for (const registry of [service.metrics, supervisor]) noteLabels(registry);
});
afterAll(() => service.stop());

async function scrape(): Promise<string> {
  return (await service.request('/metrics')).text();
}

/** What the parent of workers adds, where WORKERS is more than 1. */
async function ofSupervisor(): Promise<Registry> {
  const { promise: added, resolve: addMetrics } = Promise.withResolvers<Registry>();
  const supervisor = superviseWorkers({
    count: 0,
    fork: () => expect.fail('there are none to be started'),
    whyEngineNotReady: () => undefined,
    onDamage: () => {},
    addMetrics,
    clock: manualClock(),
    logger: pino({ level: 'silent' }),
  });
  await supervisor.stop();
  return added;
}

function noteLabels(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    const { name, labelNames = [] } = metric as { name: string; labelNames?: readonly string[] };
    labels.set(name, labelNames);
  }
}

interface Metric {
  readonly name: string;
  readonly kind: string;
}

const exposed = (): Metric[] =>
  [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => ({
    name,
    kind,
  }));

/** The names that a question may ask for: a histogram has several. */
function askable(): Set<string> {
  const own = exposed().flatMap(({ name, kind }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...own, ...ofClusters, ...ofPrometheus]);
}

interface Read {
  readonly names: string[];
  /** Labels that are matched or grouped by, each with the metrics that may have it. */
  readonly labels: { readonly label: string; readonly names: readonly string[] }[];
  readonly errors: string[];
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** What an expression asks for, and where it is none. */
function readExpression(written: string): Read {
  const text = written.replaceAll('$__rate_interval', '5m');
  const labels: { label: string; within: SyntaxNode }[] = [];
  const errors: string[] = [];
  const tree = parser.parse(text);
  const namesIn = (within: SyntaxNode): string[] => {
    const found: string[] = [];
    within.cursor().iterate(({ name, from, to, node }) => {
      const isName = name === 'Identifier' && node.parent?.name === 'VectorSelector';
      if (isName) found.push(text.slice(from, to));
    });
    return found;
  };
  tree.iterate({
    enter({ type, name, from, to, node }) {
      if (type.isError) errors.push(`${text} at ${from}`);
      if (name !== 'LabelName') return;
      const within = ancestorOf(node, ['VectorSelector', 'AggregateExpr', 'BinaryExpr']);
      labels.push({ label: text.slice(from, to), within });
    },
  });
  return {
    names: namesIn(tree.topNode),
    labels: labels.map(({ label, within }) => ({ label, names: namesIn(within) })),
    errors,
  };
}

function ancestorOf(node: SyntaxNode, kinds: readonly string[]): SyntaxNode {
  for (let { parent } = node; parent; { parent } = parent) {
    if (kinds.includes(parent.name)) return parent;
  }
  return node;
}

/** Whether at least one of the metrics has the label; of those that are not asked here, unknown. */
function isLabelOf(label: string, names: readonly string[]): boolean {
  if (ofScraping.includes(label)) return true;
  return names.some((name) => {
    const ofHistogram = name.replace(/_(bucket|sum|count)$/, '');
    const known = labels.get(name) ?? labels.get(ofHistogram);
    return (
      known?.includes(label) || (label === 'le' && labels.has(ofHistogram) && name !== ofHistogram)
    );
  });
}

function expectAnswerable(expressions: readonly string[]): void {
  const known = askable();
  const found = expressions.map(readExpression);
  expect(found.flatMap(({ errors }) => errors)).toEqual([]);
  expect(found.filter(({ names }) => names.length === 0)).toEqual([]);
  expect(found.flatMap(({ names }) => names).filter((name) => !known.has(name))).toEqual([]);
  const unknown = found
    .flatMap(({ labels }) => labels)
    .filter(({ label, names }) => !isLabelOf(label, names));
  expect(unknown).toEqual([]);
}

test('expressions are read as Prometheus reads them', () => {
  expect(readExpression('rate(up[$__rate_interval]) / on (job) other > 1').names).toEqual([
    'up',
    'other',
  ]);
  expect(readExpression('rate(up[5m]').errors).toHaveLength(1);
  const { labels } = readExpression('sum by (step) (one{kind="a"}) / on (job) other');
  expect(labels).toEqual([
    { label: 'step', names: ['one'] },
    { label: 'kind', names: ['one'] },
    { label: 'job', names: ['one', 'other'] },
  ]);
  expect(isLabelOf('outcome', ['playmeter_deliveries_total'])).toBe(true);
  expect(isLabelOf('result', ['playmeter_deliveries_total'])).toBe(false);
  expect(isLabelOf('le', ['playmeter_roll_up_seconds_bucket'])).toBe(true);
  expect(isLabelOf('le', ['playmeter_deliveries_total'])).toBe(false);
});

test('every panel of the dashboard asks for what is exposed', () => {
  const dashboard = JSON.parse(read('deploy/grafana/playmeter.json'));
  const panels: { type: string; targets?: { expr: string }[] }[] = dashboard.panels;
  const charts = panels.filter(({ type }) => type !== 'row');
  expect(charts.every(({ targets }) => targets && targets.length > 0)).toBe(true);
  expectAnswerable(charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)));
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

test('every alert asks for what is exposed, and the manual says what to do about it', () => {
  const { groups } = parse(read('deploy/prometheus/playmeter-rules.yaml'));
  const rules: Rule[] = groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
  expectAnswerable(rules.map(({ expr }) => expr));
  for (const { alert, labels, annotations, ...rule } of rules) {
    expect(['critical', 'warning'], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\w/);
    expect(rule.for ?? '1m', alert).toMatch(/^\d+[mh]$/);
  }
  const named = [...read('docs/operating.md').matchAll(/^\| `(Playmeter\w+)` \|/gm)];
  expect(named.map(([, alert]) => alert)).toEqual(rules.map(({ alert }) => alert));
});

test('docs/operating.md lists every metric, and no other', () => {
  const listed = [...read('docs/operating.md').matchAll(/^\| `(playmeter_\w+)` \|/gm)];
  const names = exposed()
    .map(({ name }) => name)
    .filter((name) => !/^playmeter_(process|nodejs)_/.test(name));
  expect(listed.map(([, name]) => name).sort()).toEqual([...names, ...ofClusters].sort());
});

test('the room on the disk is known of a configured server, and of no bundled one', async () => {
  for (const name of ofServers) expect(exposition).not.toContain(name);
  const other = await startTestService();
  onTestFinished(() => other.stop());
  const read = async () => {
    const text = await (await other.request('/metrics')).text();
    return ofServers.map((name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]));
  };
  // The shared engine runs on this machine.
  const { blocks, bsize } = await statfs(tmpdir());
  const about = (bytes: number) =>
    // The engine keeps some of it for itself.
    expect.toSatisfy((found) => found <= bytes && found > bytes - 64 * 1_048_576);
  const isFree = expect.toSatisfy((found) => found > 0 && found < blocks * bsize);
  await expect.poll(read).toEqual([isFree, about(blocks * bsize)]);
});

test('suspects that nobody has decided about are counted', async () => {
  const undecided = async () =>
    Number(/^playmeter_suspects_undecided (\S+)$/m.exec(await scrape())?.[1]);
  await expect.poll(undecided).toBe(0);
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const signing = { signing: 'prefer' };
  const changed = await service.manage(account.key, 'PATCH', `/packages/${packageId}`, signing);
  expect(changed.status).toBe(200);
  const at = new Date().toISOString();
  await service.send([{ view: 'unsigned', stretch: 0, at, playMs: 1_000, videoKey }]);
  // The longer a look takes, the rarer it is.
  await waitUntil('the suspect to be counted', async () => (await undecided()) === 1);
  const path = `/suspects/UNSIGNED:${at.slice(0, 10)}:${packageId}`;
  const decided = await service.manage(account.key, 'PUT', path, { verdict: 'refused' });
  expect(decided.status).toBe(200);
  await waitUntil('the verdict to be seen', async () => (await undecided()) === 0);
});

test('what only the stores know is there without asking them at each scrape', async () => {
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(exposition)?.[1]);
  for (const name of [
    'store_bytes',
    'store_most_parts',
    'store_memory_bytes',
    'store_answer_seconds',
    'catalog_bytes',
    'engine_resident_memory_bytes',
    'roll_up_seconds_count',
  ]) {
    expect(value(`playmeter_${name}`), name).toBeGreaterThan(0);
  }
  for (const name of ['sessions', 'erasures_open', 'engine_restarts_total', 'store_mutations']) {
    expect(value(`playmeter_${name}`), name).toBe(0);
  }
  expect(exposition).toMatch(
    /^playmeter_build_info\{version="\d+\.\d+\.\d+\S*",node="v24\.\d+\.\d+",tzdata="20\d\d[a-z]"\} 1$/m,
  );
});
