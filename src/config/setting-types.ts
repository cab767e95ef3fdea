/** The forms that settings have; config.ts lists the settings. */
import Type, { type TSchema, type TString } from 'typebox';
import { readSchedule } from '../lib/time/schedule.ts';

export const text = (description: string, initial?: string) =>
  Type.String({ description, ...(initial === undefined ? {} : { default: initial }) });

export const whole = (description: string, initial: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: initial, minimum, maximum });

/** A text with a checked form. The error does not show the value: it may be secret. */
export const checked = (schema: TString, isValid: (value: string) => boolean, complaint: string) =>
  Type.Refine(schema, isValid, () => complaint);

export const httpUrl = (description: string, example: string) =>
  checked(
    Type.String({ description, examples: [example] }),
    (value) => isUrl(value, ['http:', 'https:']) && !/[?#]/.test(value),
    `must be a URL such as ${example}`,
  );

/** One or several, separated by commas. */
export const httpUrls = (description: string, example: string) =>
  checked(
    Type.String({ description, examples: [example] }),
    (value) => {
      const all = separated(value);
      const areUrls = all.every((one) => isUrl(one, ['http:', 'https:']) && !/[?#]/.test(one));
      return areUrls && new Set(all).size === all.length;
    },
    `must be a URL such as ${example}, or several that differ, separated by commas`,
  );

const scheduleExample = '30 4 * * *';

/** A cron expression. */
export const schedule = (description: string) =>
  checked(
    Type.String({ description, examples: [scheduleExample] }),
    (value) => readSchedule(value) !== undefined,
    `must be a cron expression of five parts that is due at some time, such as ${scheduleExample}`,
  );

/** A folder, or a place in an object store. */
export const storagePlace = (description: string, example: string) =>
  checked(
    Type.String({ description, examples: [example] }),
    (value) => !value.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(\/\S*)?$/i.test(value),
    `must be a folder or a place such as ${example}`,
  );

export function separated(value: string): string[] {
  return value.split(',').map((one) => one.trim());
}

/** One that can stand in a statement as it is. */
export function isPlainName(value: string): boolean {
  return /^[a-z_][a-z0-9_]{0,63}$/i.test(value);
}

export function isUrl(value: string, protocols: readonly string[]): boolean {
  // The parser alone would accept surrounding spaces, and URLs without the slashes.
  if (!/^[a-z]+:\/\/[^\s]+$/i.test(value) || !URL.canParse(value)) return false;
  return protocols.includes(new URL(value).protocol);
}

/** An origin as a browser sends it: in lower case, without a path. */
export function isOrigin(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(value) || !URL.canParse(value)) return false;
  // The parser has no origin for schemes outside the web, such as those of apps.
  return ['null', value].includes(new URL(value).origin);
}

interface Bounded extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Undefined if the schema's own message is good enough. */
export function describeRequirement(schema: Bounded): string | undefined {
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.type !== 'integer') return undefined;
  const { minimum, maximum } = schema;
  return `must be a whole number from ${minimum} to ${maximum}`;
}
