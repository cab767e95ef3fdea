import type { LogEvent, RootOperationNode } from 'kysely';
import type { Traces } from '../../lib/telemetry/traces.ts';

/** Notes each statement by its kind and table: its text, and even more its values, stay here. */
export function traceStatements(traces: Traces, system: string): (event: LogEvent) => void {
  const attributes = { 'db.system.name': system };
  return ({ level, query, queryDurationMillis }) => {
    const failure = level === 'error' ? 'catalog' : undefined;
    traces.noteStep(nameOf(query.query), attributes, queryDurationMillis, failure);
  };
}

function nameOf(node: RootOperationNode): string {
  const verb = node.kind.replace(/(Query)?Node$/, '').toLowerCase();
  const table = tableIn(node);
  return table === undefined ? `catalog: ${verb}` : `catalog: ${verb} ${table}`;
}

/** The first table that the statement names. */
function tableIn(node: object): string | undefined {
  for (const part of ['into', 'table', 'from', 'froms', 'node', 'identifier'] as const) {
    const found = (node as Readonly<Record<string, unknown>>)[part];
    const inner = Array.isArray(found) ? found[0] : found;
    if (typeof inner !== 'object' || inner === null) continue;
    if ('name' in inner && typeof inner.name === 'string') return inner.name;
    return tableIn(inner);
  }
  return undefined;
}
