import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Fault, ParameterFault } from '../vocabulary/faults.ts';
import { parameterFault } from './parameters.ts';

/** The value, if it fits the schema; otherwise a fault that names every bad member at once. */
export function checkMessage<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): Static<Schema> {
  const fault = messageFault(schema, value);
  if (fault) throw fault;
  return value as Static<Schema>;
}

/** Reads a text that fits the schema; `detail` says in words what the schema says in bounds. */
export function textReader(schema: TSchema, parameter: string, detail: string) {
  return (text: string): string => {
    if (messageFault(schema, text) === undefined) return text;
    throw parameterFault([{ parameter, detail }]);
  };
}

/** The fault that names every bad member at once; undefined if the value fits the schema. */
export function messageFault(schema: TSchema, value: unknown): Fault | undefined {
  if (!Value.Check(schema, value)) return toFault(listFaults(schema, value));
  // Half a surrogate pair is no text: databases refuse it, and JSON cannot carry it in UTF-8.
  const misformed = listMisformed(value, []);
  if (misformed.length === 0) return undefined;
  return toFault(misformed.map((parameter) => ({ parameter, detail: 'is not valid Unicode' })));
}

function toFault(errors: readonly ParameterFault[]): Fault {
  return parameterFault(
    errors,
    errors.some(({ detail }) => detail === missing),
  );
}

const missing = 'is required';

/**
 * Members inside others are named by their way: `thumbnails.0.url`. Each member is asked about by
 * itself, because the library stops at the eighth error of a value.
 */
function listFaults(schema: TSchema, value: unknown): ParameterFault[] {
  if (!Type.IsObject(schema) || !isRecord(value)) return findErrors(schema, value, []);
  const members = Object.entries(schema.properties).flatMap(([name, property]) => {
    if (value[name] !== undefined) return findErrors(property, value[name], [name]);
    return schema.required?.includes(name) ? [{ parameter: name, detail: missing }] : [];
  });
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
  const isClosed = (schema as { additionalProperties?: unknown }).additionalProperties === false;
  return isClosed
    ? [...members, ...unknown.map((parameter) => ({ parameter, detail: 'is unknown' }))]
    : members;
}

function findErrors(schema: TSchema, value: unknown, way: readonly string[]): ParameterFault[] {
  const found = new Map<string, string>();
  const note = (at: readonly string[], detail: string) => {
    const name = at.join('.') || 'body';
    if (!found.has(name)) found.set(name, detail);
  };
  for (const error of Value.Errors(schema, value)) {
    const at = [...way, ...error.instancePath.split('/').slice(1)];
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) note([...at, name], missing);
    } else if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) note([...at, name], 'is unknown');
    } else if (error.keyword === 'enum') {
      note(at, `must be one of ${error.params.allowedValues.join(', ')}`);
    } else if (error.keyword !== 'boolean') {
      // A schema that is false is that of a member which is not known: named already.
      note(at, error.message);
    }
  }
  return [...found].map(([parameter, detail]) => ({ parameter, detail }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listMisformed(value: unknown, way: readonly string[]): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [way.join('.') || 'body'];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => listMisformed(inner, [...way, name]));
}
