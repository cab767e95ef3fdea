/** The named things of an operation: parameters and members of its body and answer. */
import type { OpenApiDocument, OperationObject, SchemaObject } from '../openapi/openapi.ts';
import { type ResponseObject, resolve } from '../openapi/openapi.ts';
import { type Html, html, inline } from './html.ts';

export interface MemberList {
  readonly title: string;
  readonly kind: 'parameter' | 'field';
  readonly members: readonly Member[];
}

interface Member {
  /** Of the element on the page: links lead to it. */
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly mark: string | undefined;
  readonly schema: SchemaObject;
  readonly description: string | undefined;
}

export function memberLists(document: OpenApiDocument, operation: OperationObject): MemberList[] {
  const { operationId, requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const status = ['200', '201'].find((one) => responses[one]) ?? '';
  const success = responses[status] && resolve<ResponseObject>(document, responses[status]);
  const answer = success?.content?.['application/json'];
  const field = (part: string, schema: SchemaObject | undefined) =>
    schema ? membersOf(document, schema, `${operationId}.${part}`) : [];
  const lists: MemberList[] = [
    { title: 'Parameters', kind: 'parameter', members: parametersOf(operation) },
    { title: 'Request body', kind: 'field', members: field('body', body?.schema) },
    { title: `Answer ${status}`, kind: 'field', members: field('answer', answer?.schema) },
  ];
  return lists.filter(({ members }) => members.length > 0);
}

function parametersOf({ operationId, parameters = [] }: OperationObject): Member[] {
  return parameters.map(({ name, in: place, required, description, schema, ...rest }) => {
    const request = rest['x-required-in']?.replaceAll('-', ' ');
    const mark = required ? 'required' : request && `required in a ${request}`;
    const marks = [place === 'query' ? '' : place, mark ?? ''].filter((text) => text !== '');
    const id = `${operationId}.${name}`;
    return { id, name, depth: 0, mark: marks.join(', '), description, schema };
  });
}

function membersOf(
  document: OpenApiDocument,
  schema: SchemaObject,
  parentId: string,
  depth = 0,
): Member[] {
  const { properties = {}, items, required = [] } = resolve<SchemaObject>(document, schema);
  if (items) return membersOf(document, items, parentId, depth);
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = resolve<SchemaObject>(document, property);
    const id = `${parentId}.${name}`;
    const mark = required.includes(name) ? undefined : 'optional';
    const member = { id, name, depth, mark, description: own.description, schema: own };
    return [member, ...membersOf(document, own, id, depth + 1)];
  });
}

/** A list and no table: on a narrow screen the parts of an entry stand one below the other. */
export function memberListHtml({ title, members }: MemberList): Html {
  return html`<h3>${title}</h3>
<dl class="members">${members.map(memberHtml)}</dl>`;
}

function memberHtml({ id, name, depth, mark, schema, description }: Member): Html {
  return html`<div id="${id}" class="depth-${Math.min(depth, 3)}">
<dt><a href="#${id}"><code>${name}</code></a>${mark ? html` <span>${mark}</span>` : undefined}</dt>
<dd><span class="values">${valuesOf(schema)}${defaultOf(schema)}</span>
${description ? html`<p>${inline(description)}</p>` : undefined}</dd>
</div>`;
}

function defaultOf({ default: initial }: SchemaObject): string {
  if (initial === undefined) return '';
  return `, default ${initial === '' ? 'empty' : String(initial)}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
};

const formatWords: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'date and time (RFC 3339)',
  uuid: 'UUID',
};

/** "integer, 1 to 1000" */
function valuesOf(schema: SchemaObject): string {
  const { type = '', format = '', minimum, maximum, maxLength, maxItems } = schema;
  if (schema.anyOf) return schema.anyOf.map(valuesOf).join(' or ');
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.enum) return schema.enum.map(String).join(' | ');
  const word = formatWords[format] ?? typeWords[type] ?? 'any value';
  if (type === 'array') {
    const of = schema.items?.enum ? ` of ${valuesOf(schema.items)}` : '';
    return `${word}${of}${maxItems === undefined ? '' : `, at most ${maxItems}`}`;
  }
  if (type === 'string') {
    return maxLength && format === '' ? `${word}, up to ${maxLength} characters` : word;
  }
  if (minimum === undefined) return word;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${word}, ${minimum} to ${maximum}` : `${word}, ${minimum} or more`;
}
