/** Metrics of the process; each part registers its own on the registry that it is given. */
import { collectDefaultMetrics, Registry } from 'prom-client';

export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'playmeter_' });
  return registry;
}
