import { Fault } from '../../vocabulary/faults.ts';

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

/** Names the options in place of the parameters that they give; other errors stay as they are. */
export function byOptions(error: unknown, given: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof Fault) || error.errors === undefined) return error;
  const errors = error.errors.map(({ parameter, detail }) => {
    const name = parameter.split(/[./]/)[0];
    const option = Object.entries(given).find(([, one]) => one === name)?.[0];
    return { parameter: option ?? parameter, detail };
  });
  return new Fault(error.code, error.message, { errors, cause: error.cause });
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
