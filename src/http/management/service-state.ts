/** How the service is, as its operators read it. */
import type { Registry } from 'prom-client';
import type { ServiceState } from '../../operations/operation.ts';
import type { Role } from '../../vocabulary/roles.ts';
import type { ServiceLimits } from '../../wire/management/service.ts';
import type { AskHealth } from '../health-routes.ts';
import { limitedMetric } from '../server/fault-answers.ts';

export interface ServiceStateParts {
  readonly askHealth: AskHealth;
  readonly version: string;
  readonly role: Role;
  readonly examine: ServiceState['examine'];
  readonly limitSettings: ServiceLimits['settings'];
  readonly metrics: Registry;
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
}

export function createServiceState(parts: ServiceStateParts): ServiceState {
  const { askHealth, version, role, examine, limitSettings, metrics, metricsOfAll } = parts;
  return {
    async health() {
      const { catalog = 'ok', statistics = 'ok', collecting = 'ok' } = await askHealth();
      return { version, role, catalog, statistics, collecting };
    },
    examine,
    async limits() {
      const text = await (metricsOfAll ? metricsOfAll() : metrics.metrics());
      return { settings: [...limitSettings], reached: readReached(text) };
    },
  };
}

/** Of all processes of the node, as Prometheus reads them too. */
function readReached(text: string): ServiceLimits['reached'] {
  const line = new RegExp(`^${limitedMetric}\\{limit="([^"]+)"\\} (\\d+)$`, 'gm');
  return [...text.matchAll(line)]
    .map(([, limit = '', requests]) => ({ limit, requests: Number(requests) }))
    .sort((one, other) => other.requests - one.requests);
}
