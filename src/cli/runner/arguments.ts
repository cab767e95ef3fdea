import { parseArgs } from 'node:util';
import { dayExists } from '../../lib/time/utc-day.ts';
import type { Option } from './options.ts';

/** The caller used the command line wrongly; exit code 2. */
export class WrongUsage extends Error {}

/** The options given to a verb. Every error names the option as the help does. */
export interface Arguments {
  has(option: string): boolean;
  text(option: string): string;
  /** All values of an option given several times, or all words of one such as `file...`. */
  texts(option: string): readonly string[];
  number(option: string): number;
  /** The id of an account, a folder, ...: a positive integer. */
  id(option: string): number;
  /** yyyy-mm-dd; undefined if it is not given. */
  day(option: string): string | undefined;
  flag(option: string): boolean;
}

/** An option that is given twice, and takes one value, takes the last. */
function takeLast(value: OptionValues[string]) {
  return Array.isArray(value) ? value.at(-1) : value;
}

type OptionValues = Record<string, string | boolean | readonly string[] | undefined>;

export function readArguments(
  words: readonly string[],
  options: Readonly<Record<string, Option>>,
): Arguments {
  const given = parse(words, options);
  for (const [name, option] of Object.entries(options)) {
    const isMissing = given[name] === undefined || takeLast(given[name]) === '';
    if (option.required && isMissing) throw new WrongUsage(`${shown(name, option)} is required`);
  }
  const text = (name: string) => String(takeLast(given[name]) ?? options[name]?.default ?? '');
  const number = (name: string) => {
    // Only digits: Number('') is 0 and Number('0x10') is 16.
    if (/^-?\d+(\.\d+)?$/.test(text(name))) return Number(text(name));
    throw new WrongUsage(`--${name} must be a number, not "${text(name)}"`);
  };
  return {
    has: (name) => given[name] !== undefined,
    text,
    texts: (name) => [given[name] ?? []].flat().map(String),
    flag: (name) => given[name] === true,
    number,
    id(name) {
      const id = number(name);
      if (Number.isSafeInteger(id) && id > 0) return id;
      throw new WrongUsage(`--${name} must be a positive integer, not "${text(name)}"`);
    },
    day(name) {
      if (given[name] === undefined) return undefined;
      if (dayExists(text(name))) return text(name);
      throw new WrongUsage(`--${name} must be a day, as 2026-11-20, not "${text(name)}"`);
    },
  };
}

/** `--file-size`, `--fileSize` and `--file_size` are one option: the interface writes all three. */
function parse(words: readonly string[], options: Readonly<Record<string, Option>>): OptionValues {
  const named = Object.entries(options).filter(([, option]) => option.type !== 'positional');
  const positional = Object.entries(options).filter(([, option]) => option.type === 'positional');
  const spelled = new Map(named.map(([name]) => [spelling(name), name]));
  const { values, positionals } = strictly(() =>
    parseArgs({
      args: withValues(
        words.map((word) => respell(word, spelled)),
        options,
      ),
      options: Object.fromEntries(
        named.map(([name, { type }]) =>
          type === 'boolean' ? [name, { type }] : [name, { type: 'string', multiple: true }],
        ),
      ),
      allowPositionals: true,
      strict: true,
    }),
  );
  const takesAll = positional.at(-1)?.[0].endsWith('...') ?? false;
  const surplus = positionals[positional.length];
  if (surplus !== undefined && !takesAll) {
    throw new WrongUsage(`unexpected argument "${surplus}"`);
  }
  const places = positional.map(([name], index) => {
    const rest = positionals.slice(index);
    return [name, name.endsWith('...') && rest.length > 0 ? rest : rest[0]];
  });
  return { ...(values as OptionValues), ...Object.fromEntries(places) };
}

/** `--sort -plays`: a value may begin with one "-", which would be taken for an option. */
function withValues(words: readonly string[], options: Readonly<Record<string, Option>>): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    const takesValue = last.startsWith('--') && options[last.slice(2)]?.type === 'string';
    if (takesValue && /^-[^-]/.test(word)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function respell(word: string, spelled: ReadonlyMap<string, string>): string {
  const [, option, rest = ''] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
  const known = option === undefined ? undefined : spelled.get(spelling(option));
  return known === undefined ? word : `--${known}${rest}`;
}

function spelling(option: string): string {
  return option.replaceAll(/[-_]/g, '').toLowerCase();
}

function strictly<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error;
    if (!isUsage) throw error;
    // Its first sentence names the option; the others are for programmers.
    throw new WrongUsage(error.message.split(/\.? (?=To specify)|\n/)[0]);
  }
}

function shown(name: string, option: Option): string {
  return option.type === 'positional' ? name.toUpperCase() : `--${name}`;
}
