import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client';

/** Metrics of the process; each part registers its own on the registry it is given. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'playmeter_' });
  // Gauges that are named as counters, and are the sums of others.
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`playmeter_nodejs_active_${what}_total`);
  }
  return registry;
}

/** How the numbers of several processes become one. */
type Together = 'sum' | 'min' | 'max';

/** A number that is read each time the metrics are read. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  together: Together = 'max',
): void {
  new Gauge({
    name,
    help,
    aggregator: together,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** The same for what only grows, and is counted elsewhere. */
export function addCounted(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Counts a value of one series. */
export type ObserveValue = (value: number) => void;

interface QuickHistogramOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** Their upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly metrics: Registry;
}

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

interface Series {
  readonly labels: Labels<string>;
  /** Of each bucket alone, and last of what is beyond all of them. */
  readonly counts: number[];
  sum: number;
  readonly observe: ObserveValue;
}

/**
 * A histogram for what happens ten thousand times a second. That of prom-client takes 2 us to find
 * the series and the bucket of each value; here whoever counts keeps the series. Adds it to the
 * metrics, and returns what finds its series by their labels.
 */
export function addQuickHistogram<Label extends string>({
  metrics,
  buckets,
  ...about
}: QuickHistogramOptions<Label>): (labels: Labels<Label>) => ObserveValue {
  const known = new Map<string, Series>();
  const kind = { ...about, type: 'histogram', aggregator: 'sum' };
  const metric = {
    ...kind,
    get: async () => ({
      ...kind,
      values: [...known.values()].flatMap((series) => formatValues(about.name, buckets, series)),
    }),
  };
  // The registry asks no more of a metric.
  metrics.registerMetric(metric as unknown as Histogram);
  return (labels) => {
    const key = JSON.stringify(labels);
    const series = known.get(key) ?? createSeries({ ...labels }, buckets);
    known.set(key, series);
    return series.observe;
  };
}

function createSeries(labels: Labels<string>, buckets: readonly number[]): Series {
  const counts = Array<number>(buckets.length + 1).fill(0);
  const series: Series = {
    ...{ labels, counts, sum: 0 },
    observe(value) {
      let bucket = 0;
      while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      series.sum += value;
    },
  };
  return series;
}

/** As Prometheus reads them: each bucket contains those below it. */
function formatValues(name: string, buckets: readonly number[], { labels, counts, sum }: Series) {
  let count = 0;
  const upTo = [...buckets, '+Inf'].map((le, bucket) => {
    count += counts[bucket] as number;
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...upTo,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
