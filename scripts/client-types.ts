/** client/src/interface/: TypeScript types of what the client sends and is answered, by address. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { OpenApiDocument, OperationObject } from '../src/api/openapi/openapi.ts';

const folder = 'client/src/interface';
const maxColumns = 100;
const banner = 'generated from docs/openapi.json by `npm run generate`. */\n';

/** The files by their paths, with one that is all of them. */
export async function clientTypes(document: OpenApiDocument): Promise<Record<string, string>> {
  const types = await typesOf(document);
  const fileOf = placeTypes(document, types);
  const files = [...new Set(fileOf.values())].sort();
  const all = files.map((file) => `export type * from './interface/${file}.ts';\n`).join('');
  const texts = files.map((file) => [`${folder}/${file}.ts`, textOf(file, types, fileOf)]);
  return {
    [`${folder}.ts`]: `/** All types of the interface; ${banner}\n${all}`,
    ...Object.fromEntries(texts),
  };
}

/** The text of each exported type, by its name. */
type Types = ReadonlyMap<string, string>;

async function typesOf(document: OpenApiDocument): Promise<Types> {
  const definitions = {
    ...document.components.schemas,
    ...Object.fromEntries(
      operationsOf(document).flatMap(({ operation }) => parametersOf(operation)),
    ),
  };
  const root = { title: 'Interface', ...asDefinitions(definitions) } as unknown as JSONSchema;
  const text = await compile(root, 'Interface', {
    additionalProperties: false,
    bannerComment: '',
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: maxColumns },
  });
  const [, ...types] = withoutRoot(text).split(/^(?=export )/m);
  return new Map(types.map((type) => [nameOf(type), type.trimEnd()]));
}

function nameOf(type: string): string {
  return /^export (?:interface|type) (\w+)/.exec(type)?.[1] as string;
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
}

const parametersNameOf = ({ operationId }: OperationObject) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Parameters`;

/**
 * `StatisticsByDateParameters`: of a query, the members that only a first request has to have
 * required. What goes into paths and headers, the client takes care of.
 */
function parametersOf(operation: OperationObject): [string, object][] {
  const own = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && parameter['x-required-in'] !== 'continuation',
  );
  if (own.length === 0) return [];
  const title = parametersNameOf(operation);
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
    .replaceAll(/( *)\/\*\*\n *\* ([^\n]*)\n *\*\//g, (_, indent, text) => commentOf(indent, text))
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** On one line where it fits. */
function commentOf(indent: string, text: string): string {
  const line = `${indent}/** ${text} */`;
  if (line.length <= maxColumns) return line;
  const lines = text.match(new RegExp(`.{1,${maxColumns - indent.length - 3}}(?= |$)`, 'g')) ?? [];
  return [`/**`, ...lines.map((one) => ` * ${one.trim()}`), ` */`]
    .map((one) => indent + one)
    .join('\n');
}

/** The file of each type: that of the first address that has to do with it. */
function placeTypes(document: OpenApiDocument, types: Types): ReadonlyMap<string, string> {
  const fileOf = new Map<string, string>();
  const place = (name: string, file: string) => {
    if (fileOf.has(name) || !types.has(name)) return;
    fileOf.set(name, file);
    for (const used of namesIn(types, name)) place(used, file);
  };
  // Whatever the address, a refusal is one.
  place('Problem', 'problem');
  for (const { path, operation } of operationsOf(document)) {
    const names = [parametersNameOf(operation), ...schemasOf(document, operation)];
    for (const name of names) place(name, fileNameOf(path, operation));
  }
  return fileOf;
}

/** The schemas that an operation names, or a component of an answer that it names. */
function schemasOf({ components }: OpenApiDocument, operation: OperationObject): string[] {
  const text = JSON.stringify(operation);
  const answers = referred(text, 'responses').map((name) => components.responses[name]);
  return referred(text + JSON.stringify(answers), 'schemas');
}

function referred(text: string, kind: 'responses' | 'schemas'): string[] {
  const references = text.matchAll(new RegExp(`"#/components/${kind}/(\\w+)"`, 'g'));
  return [...references].map(([, name = '']) => name);
}

const filesOfTags: Readonly<Record<string, string>> = {
  Statistics: 'statistics',
  'Video information': 'information',
  Collecting: 'collecting',
  Service: 'service',
};

/** Of what is managed, each kind has a file: /manage/v1/folders/{folderId} -> folders. */
function fileNameOf(path: string, { tags: [tag = ''] }: OperationObject): string {
  return filesOfTags[tag] ?? (path.split('/')[3] as string);
}

/** The other types that a type is made of. */
function namesIn(types: Types, name: string): string[] {
  const code = types.get(name)?.replaceAll(/\/\*\*.*?\*\/|'[^']*'/gs, '') ?? '';
  const words = new Set(code.match(/\b[A-Z]\w*/g));
  return [...words].filter((word) => word !== name && types.has(word));
}

function textOf(file: string, types: Types, fileOf: ReadonlyMap<string, string>): string {
  const own = [...types.keys()].filter((name) => fileOf.get(name) === file);
  const used = new Set(own.flatMap((name) => namesIn(types, name)));
  const foreign = [...used].filter((name) => fileOf.get(name) !== file).sort();
  const imports = foreign.map((name) => {
    return `import type { ${name} } from './${fileOf.get(name)}.ts';\n`;
  });
  const texts = own.map((name) => `\n${types.get(name)}\n`);
  return `/** Types of the interface; ${banner}${imports.join('')}${texts.join('')}`;
}
