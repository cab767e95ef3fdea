/** The only adapter of OpenTelemetry: spans of our own, sent by OTLP. See decisions/traces.md. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type DiagLogFunction,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Span as TelemetrySpan,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type Clock, sleep } from '../time/clock.ts';
import type { Span, SpanAttributes, Traces } from './traces.ts';

/** A receiver that hangs does not keep the service from stopping. */
const stopWithinMs = 3_000;

interface TelemetryOptions {
  readonly clock: Clock;
  /** Of the service; the environment may name another. */
  readonly name: string;
  readonly version: string;
  /** Called with what the packages complain of. */
  readonly complain: (reason: string) => void;
}

export interface Telemetry extends Traces {
  /** Sends what is left; false if that took too long, and something may still wait for it. */
  stop(): Promise<boolean>;
}

/** Where to, how many and with which headers: the packages read the environment themselves. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { clock, name, version, complain } = options;
  // Both are of the whole process, as the environment is.
  diag.setLogger(complaints(complain), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  setGlobalErrorHandler((error) => complain(reasonOf(error)));
  const own = resourceFromAttributes({ 'service.name': name, 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  return {
    ...tracesOf(provider.getTracer(name, version), clock),
    stop: () =>
      Promise.race([
        provider.shutdown().then(
          () => true,
          (error) => {
            complain(reasonOf(error));
            return true;
          },
        ),
        sleep(clock, stopWithinMs).then(() => false),
      ]),
  };
}

type Tracer = ReturnType<BasicTracerProvider['getTracer']>;

function tracesOf(tracer: Tracer, clock: Clock): Traces {
  const current = new AsyncLocalStorage<TelemetrySpan>();
  const propagator = new W3CTraceContextPropagator();

  const open = (name: string, attributes: SpanAttributes, kind: SpanKind, parent: Context) =>
    tracer.startSpan(name, { kind, attributes }, parent);

  const within = async <Answer>(span: TelemetrySpan, work: () => Promise<Answer>) => {
    try {
      return await current.run(span, work);
    } catch (error) {
      fail(span, codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    begin(name, { attributes, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = open(name, attributes, SpanKind.SERVER, parent);
      return span.isRecording() ? spanOf(span, current) : undefined;
    },
    step(name, attributes, work) {
      const parent = current.getStore();
      if (!parent) return work();
      const below = trace.setSpan(ROOT_CONTEXT, parent);
      return within(open(name, attributes, SpanKind.INTERNAL, below), work);
    },
    noteStep(name, attributes, tookMs, failure) {
      const parent = current.getStore();
      if (!parent) return;
      const endTime = clock.now();
      const begun = { kind: SpanKind.INTERNAL, attributes, startTime: endTime - tookMs };
      const span = tracer.startSpan(name, begun, trace.setSpan(ROOT_CONTEXT, parent));
      if (failure !== undefined) fail(span, failure);
      span.end(endTime);
    },
    job(name, work) {
      const span = open(name, {}, SpanKind.INTERNAL, ROOT_CONTEXT);
      return span.isRecording() ? within(span, work) : work();
    },
  };
}

function spanOf(span: TelemetrySpan, current: AsyncLocalStorage<TelemetrySpan>): Span {
  return {
    traceId: span.spanContext().traceId,
    around: (work) => current.run(span, work),
    end(attributes, failure) {
      span.setAttributes(attributes);
      if (failure !== undefined) fail(span, failure);
      span.end();
    },
  };
}

function fail(span: TelemetrySpan, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Of the catalogue of errors, or of the system. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
}

function complaints(complain: (reason: string) => void) {
  const say: DiagLogFunction = (message, ...more) => complain([message, ...more].join(' '));
  const nothing: DiagLogFunction = () => {};
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message || error.name}${code}`;
}
