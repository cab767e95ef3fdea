/** Opens what sends traces, where the configuration asks for them: see decisions/traces.md. */
import type { Config } from '../../config/config.ts';
import { traceExportersOf } from '../../config/trace-settings.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Telemetry } from '../../lib/telemetry/open-telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { version } from '../version.ts';

const complainEveryMs = 60_000;

interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined: there are none, and none of the packages is loaded. */
export async function openTraceExporter(around: AppContext): Promise<Telemetry | undefined> {
  const { config, clock, logger } = around;
  const exporters = traceExportersOf(config);
  const unknown = exporters.filter((name) => name !== 'otlp');
  if (unknown.length > 0) {
    const reason = `OTEL_TRACES_EXPORTER knows otlp and none, not ${unknown.join(', ')}`;
    logger.warn({ reason }, 'traces are not sent');
  }
  if (!exporters.includes('otlp')) return undefined;
  const { openTelemetry } = await import('../../lib/telemetry/open-telemetry.ts');
  const seldom = createThrottle(clock, complainEveryMs);
  const complain = (reason: string) =>
    seldom((complaints) => logger.warn({ reason, complaints }, 'traces may be lost'));
  return openTelemetry({ name: 'playmeter', version, clock, complain });
}
