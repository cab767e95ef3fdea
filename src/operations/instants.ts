/** Instants among the parameters and members of operations. */
import { parseInstant } from '../lib/time/instant.ts';
import type { ParameterFault } from '../vocabulary/faults.ts';

export function checkInstants<Name extends string>(
  some: { readonly [Own in Name]?: string | null | undefined },
  names: readonly Name[],
): ParameterFault[] {
  const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
  return names.flatMap((parameter) => {
    const text = some[parameter];
    return text && parseInstant(text) === undefined ? [{ parameter, detail }] : [];
  });
}

/** Of an instant that was checked. */
export function dateOf(text: string | null | undefined): Date | undefined {
  const instantMs = text ? parseInstant(text) : undefined;
  return instantMs === undefined ? undefined : new Date(instantMs);
}
