/** The settings of traces, under their standard names; part of config.ts. */
import Type from 'typebox';
import { httpUrl, separated } from './setting-types.ts';

/** These turn traces on; the packages of OpenTelemetry read them, and further ones, themselves. */
export const traceSettings = {
  OTEL_TRACES_EXPORTER: Type.Optional(
    Type.String({
      description:
        'otlp sends traces of questions and jobs, none does not; default: otlp if one of the ' +
        'URLs below is set, else none',
      examples: ['otlp'],
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    httpUrl(
      'Where to, by OTLP over HTTP; /v1/traces is added; see docs/operating.md for the other ' +
        'variables of OpenTelemetry',
      'http://127.0.0.1:4318',
    ),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(
    httpUrl('The same for traces alone, with its path', 'http://127.0.0.1:4318/v1/traces'),
  ),
  OTEL_SDK_DISABLED: Type.Optional(
    Type.String({ description: 'true: no traces, whatever else is set', examples: ['true'] }),
  ),
};

interface TraceSettings {
  readonly OTEL_TRACES_EXPORTER?: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  readonly OTEL_SDK_DISABLED?: string;
}

/** What OTEL_TRACES_EXPORTER asks for; OpenTelemetry has others than ours. */
export function traceExportersOf(settings: TraceSettings): readonly string[] {
  if (settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return [];
  const { OTEL_TRACES_EXPORTER: exporters } = settings;
  if (exporters !== undefined) return separated(exporters).filter((name) => name !== 'none');
  const endpoint =
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint === undefined ? [] : ['otlp'];
}
