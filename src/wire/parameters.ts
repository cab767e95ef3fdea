/**
 * Reads query parameters against a schema: text to integers, defaults, and every error at once,
 * each by the name and in the words that the caller can act on.
 */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { Static, TObject, TSchema } from 'typebox';
import { accept, type Result, refuse } from '../lib/result.ts';
import { dayExists } from '../lib/time/utc-day.ts';
import { isLongerThan } from '../lib/values/text-length.ts';
import { Fault, type ParameterFault } from '../vocabulary/faults.ts';

/** No percent-encoding stands for it: it marks a value whose own encoding is broken. */
const broken = '\uD800';

/** Reads the query of a URL: what the readers below refuse as badly encoded is marked. */
export function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decode });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return broken + text;
  }
}

/** What is said of a day that the calendar does not have. */
export const noSuchDate = 'must be a date that exists, as yyyy-mm-dd';
const wholeNumber = /^-?(?:0|[1-9]\d{0,15})$/;

/** A request of which each parameter was checked by itself. */
export interface CheckedRequest<Request> {
  /** What is well-formed of it. */
  readonly some: Partial<Request>;
  /** Whoever checks how the parameters depend on each other adds what is wrong with them. */
  readonly errors: ParameterFault[];
  /** The request; throws every error at once. */
  whole(): Request;
}

/** Throws every error at once; for requests whose parameters do not depend on each other. */
export function readParameters<Schema extends TObject>(
  schema: Schema,
  query: ParsedUrlQuery,
): Static<Schema> {
  return checkParameters(schema, query).whole();
}

/**
 * Unknown parameters are ignored, and so are optional ones that are empty, as forms send them; but
 * `refused` where a request that narrows what it changes would change more without them.
 */
export function checkParameters<Schema extends TObject>(
  schema: Schema,
  query: ParsedUrlQuery,
  empty: 'ignored' | 'refused' = 'ignored',
): CheckedRequest<Static<Schema>> {
  const values: Record<string, unknown> = {};
  const errors: ParameterFault[] = [];
  let missing = false;
  const required = new Set<string>(schema.required ?? []);
  for (const [parameter, property] of Object.entries(schema.properties)) {
    const given = query[parameter];
    const initial = (property as { default?: unknown }).default;
    const isOptional = initial !== undefined || !required.has(parameter);
    if (given === undefined || (given === '' && isOptional && empty === 'ignored')) {
      if (initial !== undefined) values[parameter] = initial;
      else if (!isOptional) {
        errors.push({ parameter, detail: 'is required' });
        missing = true;
      }
      continue;
    }
    const result = readValue(property, given);
    if (result.ok) values[parameter] = result.value;
    else errors.push({ parameter, detail: result.reason });
  }
  const whole = () => {
    if (errors.length > 0) throw parameterFault(errors, missing);
    return values as Static<Schema>;
  };
  return { some: values as Partial<Static<Schema>>, errors, whole };
}

export function parameterFault(errors: readonly ParameterFault[], missing = false): Fault {
  const detail = errors.map((error) => `${error.parameter} ${error.detail}`).join('; ');
  return new Fault(missing ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER', detail, { errors });
}

/** The keywords of JSON Schema that parameters make use of. */
interface Bounds {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

function readValue(schema: TSchema, given: string | string[]): Result<unknown, string> {
  if (Array.isArray(given)) return refuse('must be given once');
  if (given.includes(broken)) return refuse('is not percent-encoded UTF-8: write % as %25');
  // TRICKY: not Type.IsEnum: a schema that was copied to describe it otherwise is none to it.
  const { type, enum: allowed, ...bounds } = schema as Bounds;
  if (type === 'integer') return readInteger(bounds, given);
  if (allowed === undefined) return readText(bounds, given);
  return allowed.includes(given) ? accept(given) : refuse(`must be one of ${allowed.join(', ')}`);
}

function readInteger(bounds: Bounds, given: string): Result<number, string> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = bounds;
  const value = Number(given);
  const fits = wholeNumber.test(given) && value >= minimum && value <= maximum;
  return fits ? accept(value) : refuse(`must be a whole number from ${minimum} to ${maximum}`);
}

function readText(bounds: Bounds, given: string): Result<string, string> {
  const { minLength = 0, maxLength, format, pattern } = bounds;
  if (format === 'date') {
    return dayExists(given) ? accept(given) : refuse(noSuchDate);
  }
  if (given.length < minLength) return refuse('must not be empty');
  if (maxLength !== undefined && isLongerThan(given, maxLength)) {
    return refuse(`must not be longer than ${maxLength} characters`);
  }
  if (pattern !== undefined && !new RegExp(pattern).test(given)) {
    return refuse(`must match ${pattern}`);
  }
  // Neither PostgreSQL nor a C string takes it, and no name holds it.
  return given.includes('\0') ? refuse('must not hold the character U+0000') : accept(given);
}
