/**
 * Traces: what a question or a job did, step by step, for whoever follows it across services.
 * open-telemetry.ts makes them; without it nothing is noted. Attributes name things and count them:
 * no key, no IP address, no value of a statement and no message, which may quote one.
 */

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** One step of a trace. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** What is begun by the work lies below it. */
  around<Answer>(work: () => Answer): Answer;
  end(attributes: SpanAttributes, failure?: string): void;
}

export interface Traces {
  /**
   * Begins a trace, or goes on with the one that the headers of its caller name. Undefined: this
   * one is not sampled.
   */
  begin(
    name: string,
    from: { readonly attributes: SpanAttributes; readonly headers: object },
  ): Span | undefined;
  /** Below the step around it; outside of a trace it is only done. Fails as the work does. */
  step<Answer>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Answer>,
  ): Promise<Answer>;
  /** Notes a step that just ended. */
  noteStep(name: string, attributes: SpanAttributes, tookMs: number, failure?: string): void;
  /** A trace of its own. */
  job<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer>;
}

export const noTraces: Traces = {
  begin: () => undefined,
  step: (_name, _attributes, work) => work(),
  noteStep: () => {},
  job: (_name, work) => work(),
};
