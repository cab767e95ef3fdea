/** Instants among the parameters and members of messages. */
import { parseInstant } from '../lib/time/instant.ts';
import type { ParameterFault } from '../vocabulary/faults.ts';
import { parameterFault } from './parameters.ts';

type Instants<Name extends string> = { readonly [Own in Name]?: string | null | undefined };

export function checkInstants<Name extends string>(
  some: Instants<Name>,
  names: readonly Name[],
): ParameterFault[] {
  const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
  return names.flatMap((parameter) => {
    const text = some[parameter];
    return typeof text === 'string' && parseInstant(text) === undefined
      ? [{ parameter, detail }]
      : [];
  });
}

/** Of an instant that was checked. */
export function toDate(text: string | null | undefined): Date | undefined {
  const instantMs = typeof text === 'string' ? parseInstant(text) : undefined;
  return instantMs === undefined ? undefined : new Date(instantMs);
}

/** Throws every error at once. */
export function requireInstants<Name extends string>(
  some: Instants<Name>,
  names: readonly Name[],
): void {
  const errors = checkInstants(some, names);
  if (errors.length > 0) throw parameterFault(errors);
}
