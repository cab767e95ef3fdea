/** Opens what sends traces, where the configuration asks for them: see decisions/traces.md. */
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import type { Telemetry } from './lib/open-telemetry.ts';
import { createSeldom } from './lib/seldom.ts';
import { traceExportersOf } from './trace-settings.ts';
import { version } from './version.ts';

const complainEveryMs = 60_000;

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined: there are none, and none of the packages is loaded. */
export async function tracingOf(around: Surroundings): Promise<Telemetry | undefined> {
  const { config, clock, logger } = around;
  const exporters = traceExportersOf(config);
  const unknown = exporters.filter((name) => name !== 'otlp');
  if (unknown.length > 0) {
    const reason = `OTEL_TRACES_EXPORTER knows otlp and none, not ${unknown.join(', ')}`;
    logger.warn({ reason }, 'traces are not sent');
  }
  if (!exporters.includes('otlp')) return undefined;
  const { openTelemetry } = await import('./lib/open-telemetry.ts');
  const seldom = createSeldom(clock, complainEveryMs);
  const complain = (reason: string) =>
    seldom((complaints) => logger.warn({ reason, complaints }, 'traces may be lost'));
  return openTelemetry({ name: 'playmeter', version, clock, complain });
}
