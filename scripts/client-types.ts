/** client/src/interface.ts: TypeScript types of every message and parameter of the interface. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { OpenApiDocument, OperationObject } from '../src/api/openapi/openapi.ts';

const banner =
  '/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */';

export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const definitions = {
    ...document.components.schemas,
    ...Object.fromEntries(operations.flatMap(parametersOf)),
  };
  const root = { title: 'Interface', ...asDefinitions(definitions) } as unknown as JSONSchema;
  const text = await compile(root, 'Interface', {
    additionalProperties: false,
    bannerComment: banner,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
  return withoutRoot(text);
}

/** `StatisticsByDateParameters`, the members that only a first request has to have required. */
function parametersOf(operation: OperationObject): [string, object][] {
  const own = (operation.parameters ?? []).filter(
    (parameter) => parameter['x-required-in'] !== 'continuation',
  );
  if (own.length === 0) return [];
  const { operationId } = operation;
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Parameters`;
  const properties = own.map(({ name, description, schema }) => [name, { description, ...schema }]);
  const required = own.filter((one) => one.required || one['x-required-in'] !== undefined);
  const schema = {
    title,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
  };
  return [[title, schema]];
}

/** The generator knows definitions, not components; titles of their own give their names. */
function asDefinitions(definitions: object): object {
  const text = JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/definitions/');
  return { type: 'object', definitions: JSON.parse(text) as object };
}

/** Takes out the root, which only held the definitions, and what the generator says of it. */
function withoutRoot(text: string): string {
  return text
    .replace(/export interface Interface \{[^}]*\}\n/, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by[^/]*\*\/\n/g, '\n')
    .replaceAll(/ *\/\*\*\n *\* @\w+[^\n]*\n *\*\/\n/g, '')
    .replaceAll(/\/\*\*\n *\* ([^\n]*)\n *\*\//g, '/** $1 */')
    .replaceAll(/\n{3,}/g, '\n\n');
}
