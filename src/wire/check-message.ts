import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Fault, ParameterFault } from './faults.ts';
import { parameterFault } from './parameters.ts';

/** The value, if it fits the schema; otherwise a fault that names every bad member at once. */
export function checkMessage<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): Static<Schema> {
  if (!Value.Check(schema, value)) throw faultOf(listFaults(schema, value));
  const misformed = Object.entries(value as object).filter(
    ([, member]) => typeof member === 'string' && !member.isWellFormed(),
  );
  // Half a surrogate pair is no text: databases refuse it, and JSON cannot carry it in UTF-8.
  if (misformed.length > 0) {
    throw faultOf(misformed.map(([parameter]) => ({ parameter, detail: 'is not valid Unicode' })));
  }
  return value as Static<Schema>;
}

function faultOf(errors: readonly ParameterFault[]): Fault {
  return parameterFault(
    errors,
    errors.some(({ detail }) => detail === missing),
  );
}

const missing = 'is required';

function listFaults(schema: TSchema, value: unknown): ParameterFault[] {
  const found = new Map<string, string>();
  for (const error of Value.Errors(schema, value)) {
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) found.set(name, missing);
    } else if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) found.set(name, 'is not known');
    } else {
      const name = error.instancePath.split('/')[1] ?? '';
      if (name !== '' && !found.has(name)) found.set(name, error.message);
      if (name === '') found.set('body', error.message);
    }
  }
  return [...found].map(([parameter, detail]) => ({ parameter, detail }));
}
