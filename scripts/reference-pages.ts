/** docs/reference/: a page for each group of operations, and what is the same for all of them. */

import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Reference,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from '../src/http/openapi/openapi.ts';
import { createAnchor } from '../src/http/pages/guides/guide-renderer.ts';
import { compactJson } from './compact-json.ts';
import { exampleBody, exampleOf, examplePath } from './example-values.ts';

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const mark = '<!-- Generated from the operations of the routes by `npm run generate`. -->\n';
const folder = 'docs/reference';

/** Text by path. */
export function referencePages(document: OpenApiDocument): Record<string, string> {
  const groups = document.tags.map(({ name, description }) => {
    const file = `${name.toLowerCase().replaceAll(' ', '-')}.md`;
    return { name, description, file, operations: operationsOf(document, name) };
  });
  const { info, components } = document;
  const ways = Object.values(components.securitySchemes).map(({ description }) => description);
  const overview = [
    `${mark}# Reference\n`,
    `Version ${info.version} of the interface; as OpenAPI: [openapi.json](../openapi.json).\n`,
    ...[info.description, ...ways, 'All error codes: [Errors](../errors.md).'].map(
      (text) => `${text}\n`,
    ),
    'Answers may have these headers:\n',
    ...Object.entries(components.headers).map(
      ([name, { description }]) => `- \`${name}\`: ${description}`,
    ),
    '',
    ...groups.flatMap(({ name, description, file, operations }) => [
      `## ${name}\n\n${description}\n`,
      ...operations.map(({ method, path, operation: { summary } }) => {
        const at = `${file}#${createAnchor(summary)}`;
        return `- [${summary}](${at}): \`${method.toUpperCase()} ${path}\``;
      }),
      '',
    ]),
  ];
  return {
    [`${folder}/README.md`]: overview.join('\n'),
    ...Object.fromEntries(
      groups.map((group) => [`${folder}/${group.file}`, new Page(document).text(group)]),
    ),
  };
}

/** By path: what belongs together stands together, whichever route was added first. */
function operationsOf({ paths }: OpenApiDocument, tag: string): Placed[] {
  const sorted = Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

class Page {
  private readonly document: OpenApiDocument;
  /** Named schemas that the page links to, each of which it describes once, at its end. */
  private readonly named = new Set<string>();

  constructor(document: OpenApiDocument) {
    this.document = document;
  }

  text(group: { name: string; description: string; operations: readonly Placed[] }): string {
    const { name, description, operations } = group;
    const sections = operations.map((at) => this.section(at));
    // A description may link to further ones, which come into the set meanwhile.
    const objects: string[] = [];
    for (const one of this.named) {
      const schema = this.document.components.schemas[one] as SchemaObject;
      const about = schema.description ? `${schema.description}\n\n` : '';
      objects.push(`### ${one}\n\n${about}${this.fields(schema)}`);
    }
    const head = `${mark}# ${name}\n\n${description} [Keys, limits and the rest](README.md).\n`;
    const last = objects.length > 0 ? ['## Objects\n', ...objects] : [];
    return [head, ...sections, ...last].join('\n');
  }

  private section({ method, path, operation }: Placed): string {
    const { summary, description, parameters = [], requestBody, responses } = operation;
    const bodies = Object.entries(requestBody?.content ?? {});
    const isOptional = requestBody?.required === false ? ', optional' : '';
    return [
      `## ${summary}\n`,
      `\`${method.toUpperCase()} ${path}\`\n\n${keyNote(operation)}\n`,
      ...(description ? [`${description}\n`] : []),
      ...(parameters.length > 0
        ? [
            table(
              'Parameter',
              parameters.map((one) => this.parameter(one)),
            ),
          ]
        : []),
      ...bodies.map(([type, { schema }]) => `- Body${isOptional}: ${this.content(type, schema)}`),
      ...this.answers(responses),
      this.example(method, path, operation),
    ].join('\n');
  }

  private parameter(parameter: ParameterObject): readonly string[] {
    const { name, in: place, required, description = '', schema } = parameter;
    const request = parameter['x-required-in']?.replace('-', ' ');
    const marks = [
      place === 'query' ? '' : place,
      required ? 'required' : request ? `required in a ${request}` : '',
    ].filter((word) => word !== '');
    const values = [...marks, this.values(schema)].join('; ');
    return [`\`${name}\``, values, description];
  }

  private content(type: string, schema: SchemaObject): string {
    const own = resolve<SchemaObject>(this.document, schema);
    const about = schema.$ref === undefined && own.description ? `: ${own.description}` : '';
    const members = Object.keys((schema.$ref === undefined && own.properties) || {});
    const fields =
      members.length > 0 ? ` of ${members.map((name) => `\`${name}\``).join(', ')}` : '';
    return `${this.values(schema)}${fields} (\`${type}\`)${about}`;
  }

  private answers(responses: OperationObject['responses']): string[] {
    const all = Object.entries(responses);
    // Each of the others stands for the codes of a status.
    const own = all.filter(([, given]) => !('$ref' in given));
    const failures = all.filter(([, given]) => '$ref' in given);
    return [
      ...own.map(([status, given]) => this.answer(status, given)),
      `- Errors: ${failures.map((one) => errorsOf(...one)).join('; ')}\n`,
    ];
  }

  private answer(status: string, given: ResponseObject | Reference): string {
    const response = resolve<ResponseObject>(this.document, given);
    const contents = Object.entries(response.content ?? {}).map(([type, { schema }]) =>
      this.content(type, schema),
    );
    const body = contents.length > 0 ? ` Body: ${contents.join('; ')}.` : '';
    const names = Object.keys(response.headers ?? {}).map((name) => `\`${name}\``);
    const headers = names.length > 0 ? ` Headers: ${names.join(', ')}.` : '';
    return `- ${status}: ${response.description}${body}${headers}`;
  }

  /** What goes out and what comes back, by the examples of the schemas. */
  private example(method: string, path: string, operation: OperationObject): string {
    const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const needsKey = operation.security.some((way) => 'apiKey' in way);
    const isOptional = operation.security.some((way) => Object.keys(way).length === 0);
    const request = [
      `${method.toUpperCase()} ${examplePath(path, operation)}`,
      ...(needsKey && !isOptional ? ['x-api-key: YOUR_KEY'] : []),
      ...(type && body
        ? [`content-type: ${type}`, '', exampleBody(this.document, type, body.schema)]
        : []),
    ].join('\n');
    const succeeded = Object.entries(operation.responses).find(([status]) => status < '300')?.[1];
    const answer = succeeded && resolve<ResponseObject>(this.document, succeeded);
    const schema = answer?.content?.['application/json']?.schema;
    const value = schema && exampleOf(this.document, schema);
    return [
      `\`\`\`http\n${request}\n\`\`\`\n`,
      ...(schema ? [`\`\`\`json\n${compactJson(value)}\n\`\`\`\n`] : []),
    ].join('\n');
  }

  private fields(schema: SchemaObject): string {
    return schema.properties ? table('Field', this.rows(schema, '')) : `${this.values(schema)}\n`;
  }

  private rows(schema: SchemaObject, within: string): (readonly string[])[] {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties).flatMap(([name, property]) => {
      const { description } = property.$ref ? {} : property;
      const isOptional = required.includes(name) ? '' : 'optional; ';
      const row = [`\`${within}${name}\``, isOptional + this.values(property), description ?? ''];
      const inner = property.items ?? property;
      const path = `${within}${name}${property.items ? '[]' : ''}.`;
      return [row, ...(inner.properties ? this.rows(inner, path) : [])];
    });
  }

  /** Which values it takes: "integer, 1 to 1000, default `30`". */
  private values(schema: SchemaObject): string {
    const { $ref, type = 'any value', format = '', items, const: only } = schema;
    if ($ref !== undefined) return this.link($ref.split('/').at(-1) ?? '');
    if (schema.anyOf) return schema.anyOf.map((one) => this.values(one)).join(' or ');
    if (only !== undefined) return `always \`${JSON.stringify(only)}\``;
    const words = [
      schema.enum
        ? `one of ${schema.enum.map((one) => `\`${one}\``).join(', ')}`
        : items
          ? `list of ${this.values(items)}`
          : (formats[format] ?? types[type] ?? type),
      ...boundsOf(schema),
      ...(schema.default === undefined
        ? []
        : [schema.default === '' ? 'default empty' : `default \`${schema.default}\``]),
    ];
    return words.join(', ');
  }

  private link(name: string): string {
    this.named.add(name);
    return `[${name}](#${createAnchor(name)})`;
  }
}

const types: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' };
const formats: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'date and time (RFC 3339)',
  uuid: 'UUID',
};

function boundsOf(schema: SchemaObject): string[] {
  const { minimum, maximum, maxLength, maxItems, format } = schema;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(minimum === undefined
      ? []
      : [isBounded ? `${minimum} to ${maximum}` : `${minimum} or more`]),
    ...(minimum === undefined && isBounded ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined || format ? [] : [`up to ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
  ];
}

function keyNote({ security }: OperationObject): string {
  const scope = security[0] && Object.values(security[0])[0]?.[0];
  if (scope === undefined) return 'No key needed.';
  if (security.some((way) => Object.keys(way).length === 0)) {
    return `Key optional; if sent, it needs the scope \`${scope}\`.`;
  }
  const orShare = security.some((way) => 'share' in way) ? ', or the link of a share' : '';
  return `Key with the scope \`${scope}\`${orShare}.`;
}

/** The codes that the operation may answer with, each leading to what to do about it. */
function errorsOf(status: string, { description = '' }: { readonly description?: string }): string {
  const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
  const links = codes.map((code) => `[\`${code}\`](../errors.md#${createAnchor(code)})`);
  return `${status} ${links.join(', ')}`;
}

function table(first: string, rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`);
  return [`| ${first} | Values | Meaning |\n|---|---|---|`, ...lines, ''].join('\n');
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n+\s*/g, ' ');
}
