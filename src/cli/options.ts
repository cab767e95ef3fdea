import type { ArgDef } from 'citty';

/** Options that several verbs share. */
export const accountOption: ArgDef = {
  type: 'string',
  description: 'Account, by its number',
  valueHint: 'N',
  required: true,
};

export const accessKeyOption = requiredOption('Original key of the video', 'K');

export const jsonOption: ArgDef = {
  type: 'boolean',
  description: 'Print JSON instead of text',
};

export function requiredOption(description: string, valueHint: string): ArgDef {
  return { type: 'string', description, valueHint, required: true };
}

export function optionalOption(description: string, valueHint: string): ArgDef {
  return { type: 'string', description, valueHint };
}
