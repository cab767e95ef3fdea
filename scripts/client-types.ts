/** client/src/interface.ts: the types of what the client sends and is answered. */
import { compile } from 'json-schema-to-typescript';
import type {
  OpenApiDocument,
  OperationObject,
  SchemaObject,
} from '../src/http/openapi/openapi.ts';

const banner = `/**
 * The types of the interface. Generated from docs/openapi.json by \`npm run generate\`, as
 * json-schema-to-typescript writes them.
 */`;

export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const definitions: Record<string, object> = {
    ...document.components.schemas,
    ...Object.fromEntries(operations.flatMap(parametersOf)),
  };
  const names = Object.keys(definitions);
  const root = {
    title: 'Schemas',
    description: 'Every type of the interface, by its name.',
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, reference(name)])),
    definitions,
  };
  // The generator knows definitions, not components.
  const text = JSON.stringify(root).replaceAll('#/components/schemas/', '#/definitions/');
  return compile(JSON.parse(text), root.title, {
    additionalProperties: false,
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
}

const reference = (name: string): SchemaObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * `StatisticsByDateParameters`: of a query, the members that only a first request has to have
 * required. What goes into paths and headers, the client takes care of.
 */
function parametersOf({ operationId, parameters = [] }: OperationObject): [string, object][] {
  const own = parameters.filter(
    (parameter) => parameter.in === 'query' && parameter['x-required-in'] !== 'continuation',
  );
  if (own.length === 0) return [];
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
