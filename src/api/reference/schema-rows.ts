/** Tables of parameters and members: name, what it takes, what it means. */
import type { OpenApiDocument, ParameterObject, SchemaObject } from '../openapi/openapi.ts';
import { resolve } from '../openapi/openapi.ts';
import { type Html, html, inline } from './html.ts';

interface TableRow {
  readonly name: string;
  readonly depth: number;
  readonly mark: string | undefined;
  readonly description: string | undefined;
  readonly schema: SchemaObject;
}

export function parameterTable(parameters: readonly ParameterObject[]): Html {
  return table(
    'Parameters',
    parameters.map(({ name, in: place, required, description, schema, ...rest }) => {
      const required_ = rest['x-required-in'];
      const mark = required ? 'required' : required_ && `required in a ${words(required_)}`;
      const where = place === 'query' ? name : `${name} (${place})`;
      return { name: where, depth: 0, mark, description, schema };
    }),
  );
}

export function schemaTable(document: OpenApiDocument, title: string, schema: SchemaObject): Html {
  const rows = rowsOf(document, schema, 0);
  return rows.length === 0 ? html`` : table(title, rows);
}

function rowsOf(document: OpenApiDocument, schema: SchemaObject, depth: number): TableRow[] {
  const { properties = {}, items, required = [] } = resolve<SchemaObject>(document, schema);
  if (items) return rowsOf(document, items, depth);
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = resolve<SchemaObject>(document, property);
    const mark = required.includes(name) ? undefined : 'optional';
    const row = { name, depth, mark, description: own.description, schema: own };
    return [row, ...rowsOf(document, own, depth + 1)];
  });
}

function table(title: string, rows: readonly TableRow[]): Html {
  return html`<div class="table" role="region" aria-label="${title}" tabindex="0"><table>
<caption>${title}</caption>
<tbody>${rows.map(rowHtml)}</tbody>
</table></div>`;
}

function rowHtml({ name, depth, mark, description, schema }: TableRow): Html {
  const marked = mark ? html` <span class="mark">${mark}</span>` : undefined;
  const about = description ? html`<br>${inline(description)}` : undefined;
  return html`<tr>
<th scope="row" class="depth-${Math.min(depth, 4)}"><code>${name}</code>${marked}</th>
<td><span class="form">${formOf(schema)}</span>${about}</td>
</tr>`;
}

/** "whole number, 1 to 1000, default 30" */
function formOf(schema: SchemaObject): string {
  const { default: initial } = schema;
  const said = initial === undefined ? '' : `, default ${String(initial)}`;
  return `${valuesOf(schema)}${said}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
};

const formatWords: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'instant, RFC 3339',
  uuid: 'UUID',
};

function valuesOf(schema: SchemaObject): string {
  const { type = '', format = '', minimum, maximum, maxLength, maxItems } = schema;
  if (schema.anyOf) return schema.anyOf.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return schema.enum.map(String).join(' | ');
  const word = formatWords[format] ?? typeWords[type] ?? 'any value';
  if (maxItems !== undefined) return `${word}, at most ${maxItems}`;
  if (type === 'string') return maxLength && format === '' ? `${word}, up to ${maxLength}` : word;
  if (minimum === undefined) return word;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${word}, ${minimum} to ${maximum}` : `${word}, from ${minimum}`;
}

function words(extension: string): string {
  return extension.replaceAll('-', ' ');
}
