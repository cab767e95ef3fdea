/** Which values a parameter or a member takes, in words: "integer, 1 to 1000, default 30". */

import type { SchemaObject } from '../../openapi/openapi.ts';
import type { MessageName, Say } from '../messages/messages.ts';
import { filled, type Html, html } from './html.ts';

export function valueWords(schema: SchemaObject, say: Say): Html {
  const { default: initial } = schema;
  const values = valuesOf(schema, say);
  if (initial === undefined) return values;
  const value = initial === '' ? html`${say('member.empty')}` : asWritten(String(initial));
  return html`${values}, ${filled(say('member.default'), 'value', value)}`;
}

/** Words of the interface, no language's. */
function asWritten(value: string): Html {
  return html`<code>${value}</code>`;
}

function valuesOf(schema: SchemaObject, say: Say): Html {
  const { type, format = '', maxLength, maxItems, items } = schema;
  if (schema.anyOf) return eitherOf(schema.anyOf, say);
  if (schema.const !== undefined) {
    return filled(say('type.always'), 'value', asWritten(JSON.stringify(schema.const)));
  }
  if (schema.enum) return asWritten(schema.enum.map(String).join(' | '));
  const word = html`${typeWord(schema, say)}`;
  if (type === 'array') {
    const list = items?.enum ? filled(say('type.list-of'), 'values', valuesOf(items, say)) : word;
    return maxItems === undefined
      ? list
      : html`${list}, ${say('type.most-items', { most: maxItems })}`;
  }
  if (type === 'string') {
    if (!maxLength || format !== '') return word;
    return html`${word}, ${say('type.most-characters', { most: maxLength })}`;
  }
  return html`${word}${boundsOf(schema, say)}`;
}

function eitherOf(schemas: readonly SchemaObject[], say: Say): Html {
  const [first, ...others] = schemas.map((one) => valuesOf(one, say));
  return html`${first}${others.map((other) => html`${say('type.or')}${other}`)}`;
}

function boundsOf({ minimum: least, maximum: most }: SchemaObject, say: Say): string {
  if (least === undefined) return '';
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER;
  return `, ${isBounded ? say('type.between', { least, most }) : say('type.at-least', { least })}`;
}

/** What is called the same everywhere. */
const names: Readonly<Record<string, string>> = { uuid: 'UUID', null: 'null' };

function typeWord({ type = 'any', format = '' }: SchemaObject, say: Say): string {
  const kind = format === 'date' || format === 'date-time' || format === 'uuid' ? format : type;
  return names[kind] ?? say(`type.${kind}` as MessageName);
}
