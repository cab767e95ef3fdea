/** Makes every field of a schema an option of a verb, so that nothing is listed twice. */
import Type, { type TObject, type TSchemaOptions } from 'typebox';
import type { Arguments } from '../runner/arguments.ts';
import type { Option } from '../runner/options.ts';

/** Fields for which each verb about videos has an option of its own. */
const named = ['folderId', 'title'];

export function fieldOptions(schema: TObject): Record<string, Option> {
  return Object.fromEntries(
    fieldsOf(schema).map(([name, field]): [string, Option] => {
      const { description = '', default: initial } = field as TSchemaOptions;
      const option = { type: 'string', description, valueHint: hintOf(field) } as const;
      return [optionOf(name), initial ? { ...option, default: String(initial) } : option];
    }),
  );
}

/** The given options as text, for a parser of parameters. */
export function readTexts(schema: TObject, given: Arguments): Record<string, string> {
  const present = fieldsOf(schema).filter(([name]) => given.has(optionOf(name)));
  return Object.fromEntries(present.map(([name]) => [name, given.text(optionOf(name))]));
}

/** The given options. */
export function readFields(schema: TObject, given: Arguments): Record<string, string | number> {
  const present = fieldsOf(schema).filter(([name]) => given.has(optionOf(name)));
  return Object.fromEntries(
    present.map(([name, field]) => {
      const option = optionOf(name);
      return [name, isNumeric(field) ? given.number(option) : given.text(option)];
    }),
  );
}

function fieldsOf(schema: TObject) {
  return Object.entries(schema.properties).filter(([name]) => !named.includes(name));
}

function hintOf(field: unknown): string {
  if (Type.IsEnum(field)) return field.enum.join('|');
  return isNumeric(field) ? 'N' : 'TEXT';
}

function isNumeric(field: unknown): boolean {
  return Type.IsInteger(field) || Type.IsNumber(field);
}

function optionOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
