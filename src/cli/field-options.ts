/** Every field that a schema knows is an option of a verb; nothing is listed twice. */
import type { ArgDef } from 'citty';
import Type, { type TObject, type TSchemaOptions } from 'typebox';
import type { Arguments } from './arguments.ts';

/** Those that every verb about videos names for itself. */
const named = ['folderId', 'title'];

export function fieldOptions(schema: TObject): Record<string, ArgDef> {
  return Object.fromEntries(
    fieldsOf(schema).map(([name, field]): [string, ArgDef] => {
      const { description = '', default: initial } = field as TSchemaOptions;
      const option = { type: 'string', description, valueHint: hintOf(field) } as const;
      return [optionOf(name), initial ? { ...option, default: String(initial) } : option];
    }),
  );
}

/** Those that were given, as they were given: for a reader of parameters. */
export function readTexts(schema: TObject, given: Arguments): Record<string, string> {
  const present = fieldsOf(schema).filter(([name]) => given.has(optionOf(name)));
  return Object.fromEntries(present.map(([name]) => [name, given.text(optionOf(name))]));
}

/** Those that were given. */
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
