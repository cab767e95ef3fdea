import { Fault } from '../vocabulary/faults.ts';
import { type Arguments, readArguments, WrongUsage } from './runner/arguments.ts';
import type { Option } from './runner/options.ts';
import type { Parts, Verb } from './verb.ts';
import { verbs } from './verbs.ts';

const done = 0;
const failed = 1;
const wronglyUsed = 2;

/** The command line: runs one verb to its end and returns the exit code. */
export async function runCommandLine(typed: readonly string[], given: Parts): Promise<number> {
  const parts = showingAll(given);
  // What most programs understand.
  const argv = typed[0] === '--version' ? ['version', ...typed.slice(1)] : typed;
  if (isHelp(argv)) {
    parts.print(describeUsage(takeWords(argv)));
    return done;
  }
  const verb = findVerb(argv);
  if (!verb) return complainOfVerb(argv, parts);
  try {
    const words = argv.slice(verb.words.split(' ').length);
    return await runVerb(verb, readArguments(words, verb.options), parts);
  } catch (error) {
    return complainAbout(error, verb, parts);
  }
}

/** Whatever a verb prints, it prints as a terminal may show it. */
function showingAll(parts: Parts): Parts {
  return {
    ...parts,
    print: (line) => parts.print(terminalText(line)),
    complain: (line) => parts.complain(terminalText(line)),
  };
}

async function runVerb(verb: Verb, given: Arguments, parts: Parts): Promise<number> {
  const outcome = await verb.run(given, parts);
  if (!outcome) return done;
  const { json } = outcome;
  const lines = given.flag('json') ? (json ? [JSON.stringify(json)] : []) : outcome.lines;
  for (const line of lines) parts.print(line);
  return outcome.isIncomplete ? failed : done;
}

function findVerb(argv: readonly string[]): Verb | undefined {
  const words = takeWords(argv);
  return verbs.find((verb) => {
    const own = verb.words.split(' ');
    return own.every((word, index) => word === words[index]);
  });
}

/** The words before the first option. */
function takeWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.includes('--help') || words.includes('-h') || words[0] === 'help';
}

function complainOfVerb(argv: readonly string[], parts: Parts): number {
  const words = takeWords(argv);
  const [first, second] = words;
  const isGroup = verbsOfGroup(first).length > 0;
  if (isGroup && second === undefined) parts.complain(`${first} needs a second word:`);
  else if (argv.length > 0) parts.complain(`Unknown verb: ${listNames(words, argv)}`);
  parts.complain(describeUsage(words));
  return wronglyUsed;
}

function listNames(words: readonly string[], argv: readonly string[]): string {
  return (words.length > 0 ? words : argv)
    .slice(0, verbsOfGroup(words[0]).length > 0 ? 2 : 1)
    .join(' ');
}

function complainAbout(error: unknown, verb: Verb, parts: Parts): number {
  const usage = usageErrors(error, verb);
  if (usage.length > 0) {
    for (const line of usage) parts.complain(`playmeter ${verb.words}: ${line}`);
    parts.complain(`See: playmeter ${verb.words} --help`);
    return wronglyUsed;
  }
  if (error instanceof Fault) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    parts.complain(`playmeter ${verb.words}: ${error.message}${cause}${findRemedy(error.cause)}`);
    return failed;
  }
  // The operating system refused, such as to create a folder or to write to one; it says why.
  if (error instanceof Error && 'syscall' in error) {
    parts.complain(`playmeter ${verb.words}: ${error.message}${findRemedy(error)}`);
    return failed;
  }
  // A bug of ours: shown in full, so that it can be reported.
  throw error;
}

const room = 'Make room on that disk, and run it again';
const writable = 'Mount that file system for writing, or name another folder';
const moreFiles = 'Raise `ulimit -n` (LimitNOFILE of systemd) to 65536';
const rights = 'Give the user of this process the right to it, or name another place';
/** By the codes of the operating system and of SQLite. */
const remedies: Readonly<Record<string, string>> = {
  ...{ ENOSPC: room, EDQUOT: room, SQLITE_FULL: room },
  ...{ EROFS: writable, SQLITE_READONLY: writable, SQLITE_READONLY_DIRECTORY: writable },
  ...{ EMFILE: moreFiles, ENFILE: moreFiles, EACCES: rights, EPERM: rights },
};

/** What to do about what the operating system refused. */
function findRemedy(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return '';
  const remedy = remedies[String(error.code)];
  return remedy === undefined ? '' : `. ${remedy}`;
}

/** The errors in what the caller gave; empty if the cause is something else. */
function usageErrors(error: unknown, verb: Verb): string[] {
  if (error instanceof WrongUsage) return [error.message];
  if (!(error instanceof Fault)) return [];
  return (error.errors ?? []).map(
    ({ parameter, detail }) => `${optionFor(parameter, verb)} ${detail}`,
  );
}

/** The interface's `folderName` is the option `--name`, its `folderId` is `--folder`. */
function optionFor(parameter: string, { options }: Verb): string {
  const words = parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('-');
  const spellings = [words.join('-'), words.at(-1) ?? '', words[0] ?? ''];
  const option = spellings.find((spelling) => spelling in options);
  return option === undefined ? parameter : `--${option}`;
}

/** The help for the words given so far: for one verb, a group of verbs, or all. */
function describeUsage(words: readonly string[]): string {
  const asked = words.filter((word) => word !== 'help').slice(0, 2);
  const verb = verbs.find((candidate) => {
    const own = candidate.words.split(' ');
    return own.length <= asked.length && own.every((word, index) => word === asked[index]);
  });
  if (verb) return describeVerb(verb);
  const group = verbsOfGroup(asked[0]);
  return describeVerbs(group.length > 0 ? group : verbs);
}

/** The two-word verbs that start with this word. */
function verbsOfGroup(word: string | undefined): readonly Verb[] {
  return verbs.filter(({ words }) => words.startsWith(`${word} `));
}

function describeVerbs(listed: readonly Verb[]): string {
  return [
    'Usage: playmeter VERB [OPTIONS]',
    '',
    ...columns(listed.map(({ words, summary }) => [words, summary])),
    '',
    'playmeter VERB --help shows the options of a verb.',
  ].join('\n');
}

function describeVerb({ words, summary, options }: Verb): string {
  const all = Object.entries(options);
  const required = all.filter(([, { required }]) => required);
  const usage = [
    'Usage: playmeter',
    words,
    ...required.map(([name, option]) => spell(name, option)),
  ];
  const more = all.length > required.length ? ['[OPTIONS]'] : [];
  return [
    summary,
    '',
    [...usage, ...more].join(' '),
    '',
    ...columns(all.map(([name, option]) => [spell(name, option), noteOn(option)])),
  ]
    .join('\n')
    .trimEnd();
}

function spell(name: string, { type, valueHint }: Option): string {
  if (type === 'positional') return name.toUpperCase();
  return type === 'boolean' ? `--${name}` : `--${name} ${valueHint ?? 'TEXT'}`;
}

function noteOn({ description, required, default: initial }: Option): string {
  if (required) return `${description} (required)`;
  return initial === undefined ? description : `${description} (default: ${initial})`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}

// Tabulators and line breaks are ours, those of CSV with a carriage return. The last are the marks
// that turn the direction of writing.
const acting = /(?![\t\n]|\r(?:\n|$))\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text as a terminal may show it. Names and titles come from anyone with a key of the account: as
 * they are, they could move the cursor, hide a line, or make it read otherwise. What would act is
 * shown by its number instead, written as in JSON, so that JSON stays the same JSON.
 */
export function terminalText(text: string): string {
  return text.replaceAll(acting, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
