/** One option of a verb. */
export interface Option {
  /** `positional`: has no `--name`; if its name ends in `...`, it takes all remaining words. */
  readonly type: 'string' | 'boolean' | 'positional';
  readonly description: string;
  /** Stands for the value in the help. */
  readonly valueHint?: string;
  readonly required?: boolean;
  readonly default?: string;
}

/** Options shared by several verbs. */
export const accountOption: Option = {
  type: 'string',
  description: 'Account id',
  valueHint: 'N',
  required: true,
};

export const jsonOption: Option = {
  type: 'boolean',
  description: 'Print JSON instead of text',
};

export function requiredOption(description: string, valueHint: string): Option {
  return { type: 'string', description, valueHint, required: true };
}

export function optionalOption(description: string, valueHint: string): Option {
  return { type: 'string', description, valueHint };
}
