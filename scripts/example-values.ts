/** Example values, out of the examples, defaults and enumerations of the schemas. */
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  SchemaObject,
} from '../src/http/openapi/openapi.ts';
import { resolve } from '../src/http/openapi/openapi.ts';
import { compactJson } from './compact-json.ts';

export function exampleOf(document: OpenApiDocument, schema: SchemaObject): unknown {
  const own = resolve<SchemaObject>(document, schema);
  const [first] = own.examples ?? own.enum ?? [];
  const value = own.const ?? own.default ?? first;
  if (value !== undefined) return value;
  if (own.anyOf?.[0]) return exampleOf(document, own.anyOf[0]);
  if (own.type === 'array') return own.items ? [exampleOf(document, own.items)] : [];
  if (own.type === 'object') {
    const required = new Set(own.required ?? []);
    const members = Object.entries(own.properties ?? {}).filter(
      ([name, property]) => required.has(name) || property.examples !== undefined,
    );
    return Object.fromEntries(
      members.map(([name, property]) => [name, exampleOf(document, property)]),
    );
  }
  if (own.type === 'integer' || own.type === 'number') return own.minimum ?? 0;
  if (own.type === 'boolean') return true;
  return own.type === 'null' ? null : '';
}

/** Path and query of a request as it is first tried: what it requires, by example. */
export function examplePath(path: string, { parameters = [] }: OperationObject): string {
  const exampleText = ({ schema, name }: ParameterObject) =>
    encodeURIComponent(String(schema.examples?.[0] ?? name));
  let filled = path;
  const query: string[] = [];
  for (const parameter of parameters) {
    const { name } = parameter;
    const isFirst = parameter.required || parameter['x-required-in'] === 'first-request';
    if (parameter.in === 'path') filled = filled.replace(`{${name}}`, exampleText(parameter));
    else if (parameter.in === 'query' && isFirst) query.push(`${name}=${exampleText(parameter)}`);
  }
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** As it is sent: text as it is, everything else as JSON. */
export function exampleBody(document: OpenApiDocument, type: string, schema: SchemaObject): string {
  const value = exampleOf(document, schema);
  return type.includes('json') || typeof value !== 'string' ? compactJson(value) : value;
}
