/** The answers to what goes wrong, a response a status, out of the error catalogue. */
import { type FaultCode, faultCatalogue, Problem } from '../../vocabulary/faults.ts';
import type { HeaderName } from './headers.ts';

const codes = Object.keys(faultCatalogue) as FaultCode[];

const names: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'Internal',
  503: 'Unavailable',
  505: 'VersionNotSupported',
};

const headersByStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
  503: ['Retry-After'],
};

/** References for the codes that an operation may answer with, by status. */
export function problemReferences(operationCodes: ReadonlySet<FaultCode>): Record<string, object> {
  const references: Record<string, object> = {};
  for (const [status, own] of byStatus(codes.filter((code) => operationCodes.has(code)))) {
    const $ref = `#/components/responses/${names[status]}`;
    references[status] = { $ref, description: describe(own) };
  }
  return references;
}

export function problemResponses(): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const [status, own] of byStatus(codes)) {
    const name = names[status];
    if (name === undefined) throw new Error(`The status ${status} has no name in OpenAPI yet`);
    const headers = headersByStatus[status] ?? [];
    const narrowed = { properties: { status: { const: status }, code: { enum: own } } };
    responses[name] = {
      description: describe(own),
      ...(headers.length > 0 ? { headers: headerReferences(headers) } : {}),
      content: { 'application/problem+json': { schema: { allOf: [Problem, narrowed] } } },
    };
  }
  return responses;
}

export function headerReferences(names: readonly HeaderName[]): Record<string, object> {
  const reference = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

function byStatus(some: readonly FaultCode[]): Map<number, FaultCode[]> {
  return Map.groupBy(some, (code) => faultCatalogue[code].status);
}

function describe(some: readonly FaultCode[]): string {
  return some.map((code) => `\`${code}\`: ${faultCatalogue[code].title}.`).join(' ');
}
