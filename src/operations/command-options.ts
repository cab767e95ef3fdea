/** Options that verbs of several operations have. */
import Type, { type TObject, type TSchemaOptions } from 'typebox';
import { parseInstant } from '../lib/time/instant.ts';
import { dayMs } from '../lib/time/utc-day.ts';
import { overlapLimitHours } from '../wire/management-messages.ts';
import { parameterFault } from '../wire/parameters.ts';
import type { CommandOption } from './operation.ts';

export const hourMs = 3_600_000;

/** `--package ID`: an option that must be given. */
export function required<Member extends string>(
  member: Member,
  description: string,
  valueHint: string,
) {
  return { member, description, valueHint, required: true } as const;
}

export function optional<Member extends string>(
  member: Member,
  description: string,
  valueHint: string,
) {
  return { member, description, valueHint } as const;
}

export const lastDayOption = {
  ...optional(
    'expiresAt',
    'Last day (UTC) on which it works, or the instant at which it expires',
    'DATE',
  ),
  // The whole day is included: with 2026-12-31 it works all through New Year's Eve.
  read: (text: string) => readDayOrInstant('expiresAt', text, dayMs - 1),
};

/** A day (UTC) stands for its begin, and so much later. */
export function readDayOrInstant(parameter: string, text: string, laterMs: number): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instantMs = parseInstant(isDay ? `${text}T00:00:00Z` : text);
  if (instantMs !== undefined) return new Date(instantMs + (isDay ? laterMs : 0)).toISOString();
  const detail = 'must be a day such as 2026-12-31, or an RFC 3339 instant';
  throw parameterFault([{ parameter, detail }]);
}

/** How long what is replaced keeps working. */
export function overlapOption(description: string, hours: number) {
  const option = optional('overlapHours', description, 'H');
  return { ...option, default: String(hours), read: readOverlapHours };
}

function readOverlapHours(text: string): number {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const hours = Number(text);
  if (isNumber && hours >= 0 && hours <= overlapLimitHours) return hours;
  const detail = isNumber ? `must be 0 to ${overlapLimitHours}` : `must be a number, not "${text}"`;
  throw parameterFault([{ parameter: 'overlapHours', detail }]);
}

/** Reads a whole number from 1 to `most`; `bound` says what a larger one is refused with. */
export function wholeNumberReader(parameter: string, most: number, bound: string) {
  return (text: string): number => {
    const refusal = (detail: string) => parameterFault([{ parameter, detail }]);
    const number = Number(text);
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw refusal(`must be a number, not "${text}"`);
    if (!Number.isSafeInteger(number) || number < 1) {
      throw refusal(`must be a positive integer, not "${text}"`);
    }
    if (number > most) throw refusal(`${bound} ${most}`);
    return number;
  };
}

/** Of a member whose schema does not say that it is an integer. */
export function readId(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The options of a verb, and one for every field of the schema that none of them gives. */
export function fieldOptions<Own extends string, Schema extends TObject>(
  { properties }: Schema,
  own: Readonly<Record<string, CommandOption<Own>>>,
  readOf: (name: string, field: unknown) => CommandOption['read'] = () => undefined,
): Record<string, CommandOption<Own | (string & keyof Schema['properties'])>> {
  const given = Object.values(own).map(({ member }): string | undefined => member);
  const others = Object.entries(properties).filter(([name]) => !given.includes(name));
  const options = others.map(([name, field]) => {
    const { description = '', default: initial } = field as TSchemaOptions;
    const read = readOf(name, field);
    const option = {
      ...optional(name as string & keyof Schema['properties'], description, describeHint(field)),
      ...(initial ? { default: String(initial) } : {}),
      ...(read && { read }),
    };
    return [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), option] as const;
  });
  return { ...own, ...Object.fromEntries(options) };
}

function describeHint(field: unknown): string {
  if (Type.IsEnum(field)) return field.enum.join('|');
  return isNumeric(field) ? 'N' : 'TEXT';
}

export function isNumeric(field: unknown): boolean {
  return Type.IsInteger(field) || Type.IsNumber(field);
}
