import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

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
