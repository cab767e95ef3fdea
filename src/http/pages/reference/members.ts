/** The named things of an operation: parameters and members of its body and answer. */

import type { OpenApiDocument, OperationObject, SchemaObject } from '../../openapi/openapi.ts';
import { type ResponseObject, resolve } from '../../openapi/openapi.ts';
import type { MessageName, Say } from '../messages/messages.ts';
import { type Html, html, inline } from './html.ts';
import { valueWords } from './value-words.ts';

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

export function memberLists(
  document: OpenApiDocument,
  operation: OperationObject,
  say: Say,
): MemberList[] {
  const { operationId, requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const status = ['200', '201'].find((one) => responses[one]) ?? '';
  const success = responses[status] && resolve<ResponseObject>(document, responses[status]);
  const answer = success?.content?.['application/json'];
  const field = (part: string, schema: SchemaObject | undefined) =>
    schema
      ? membersOf(document, schema, { parentId: `${operationId}.${part}`, depth: 0, say })
      : [];
  const lists: MemberList[] = [
    {
      title: say('reference.parameters'),
      kind: 'parameter',
      members: parametersOf(operation, say),
    },
    { title: say('reference.body'), kind: 'field', members: field('body', body?.schema) },
    {
      title: say('reference.answer', { status }),
      kind: 'field',
      members: field('answer', answer?.schema),
    },
  ];
  return lists.filter(({ members }) => members.length > 0);
}

function parametersOf({ operationId, parameters = [] }: OperationObject, say: Say): Member[] {
  return parameters.map(({ name, in: place, required, description, schema, ...rest }) => {
    const request = rest['x-required-in'];
    const marks = [
      place === 'query' ? '' : say(`member.${place}`),
      required ? say('member.required') : '',
      !required && request ? say(`member.required.${request}` as MessageName) : '',
    ].filter((mark) => mark !== '');
    const id = `${operationId}.${name}`;
    return { id, name, depth: 0, mark: marks.join(', '), description, schema };
  });
}

interface Within {
  readonly parentId: string;
  readonly depth: number;
  readonly say: Say;
}

function membersOf(document: OpenApiDocument, schema: SchemaObject, within: Within): Member[] {
  const { properties = {}, items, required = [] } = resolve<SchemaObject>(document, schema);
  if (items) return membersOf(document, items, within);
  const { parentId, depth, say } = within;
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = resolve<SchemaObject>(document, property);
    const id = `${parentId}.${name}`;
    const mark = required.includes(name) ? undefined : say('member.optional');
    const member = { id, name, depth, mark, description: own.description, schema: own };
    return [member, ...membersOf(document, own, { parentId: id, depth: depth + 1, say })];
  });
}

/** A list and no table: on a narrow screen the parts of an entry stand one below the other. */
export function memberListHtml({ title, members }: MemberList, say: Say): Html {
  return html`<h3>${title}</h3>
<dl class="members">${members.map((member) => memberHtml(member, say))}</dl>`;
}

function memberHtml(member: Member, say: Say): Html {
  const { id, name, depth, mark, schema, description } = member;
  return html`<div id="${id}" class="depth-${Math.min(depth, 3)}">
<dt><a href="#${id}"><code>${name}</code></a>${mark ? html` <span>${mark}</span>` : undefined}</dt>
<dd><span class="values">${valueWords(schema, say)}</span>
${description ? html`<p lang="en">${inline(description)}</p>` : undefined}</dd>
</div>`;
}
