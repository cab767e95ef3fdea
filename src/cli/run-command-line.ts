import { Fault } from '../wire/faults.ts';
import { type Arguments, readArguments, WrongUsage } from './arguments.ts';
import { describeUsage } from './describe-usage.ts';
import type { Parts, Verb } from './verb.ts';
import { verbs } from './verbs.ts';

const done = 0;
const failed = 1;
const wronglyUsed = 2;

/** The terminal edge: one verb, run to its end. Answers the exit code. */
export async function runCommandLine(argv: readonly string[], parts: Parts): Promise<number> {
  if (isHelp(argv)) {
    parts.print(await describeUsage(wordsOf(argv)));
    return done;
  }
  const verb = findVerb(argv);
  if (!verb) return complainOfVerb(argv, parts);
  try {
    const words = argv.slice(verb.words.split(' ').length);
    await runVerb(verb, readArguments(words, verb.options), parts);
    return done;
  } catch (error) {
    return complainOf(error, verb, parts);
  }
}

async function runVerb(verb: Verb, given: Arguments, parts: Parts): Promise<void> {
  const outcome = await verb.run(given, parts);
  if (!outcome) return;
  const lines = given.flag('json') ? [JSON.stringify(outcome.json)] : outcome.lines;
  for (const line of lines) parts.print(line);
}

function findVerb(argv: readonly string[]): Verb | undefined {
  const words = wordsOf(argv);
  return verbs.find((verb) => {
    const own = verb.words.split(' ');
    return own.every((word, index) => word === words[index]);
  });
}

/** The words before the first option. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.includes('--help') || words.includes('-h') || words[0] === 'help';
}

async function complainOfVerb(argv: readonly string[], parts: Parts): Promise<number> {
  if (argv.length > 0) parts.complain(`Unknown verb: ${argv.slice(0, 2).join(' ')}`);
  parts.complain(await describeUsage(wordsOf(argv)));
  return wronglyUsed;
}

function complainOf(error: unknown, verb: Verb, parts: Parts): number {
  const usage = usageErrors(error, verb);
  if (usage.length > 0) {
    for (const line of usage) parts.complain(`playmeter ${verb.words}: ${line}`);
    parts.complain(`See: playmeter ${verb.words} --help`);
    return wronglyUsed;
  }
  if (error instanceof Fault) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    parts.complain(`playmeter ${verb.words}: ${error.message}${cause}`);
    return failed;
  }
  // The operating system refuses, and says what: a folder that cannot be made or written.
  if (error instanceof Error && 'syscall' in error) {
    parts.complain(`playmeter ${verb.words}: ${error.message}`);
    return failed;
  }
  // A mistake of ours: shown whole, so that it can be reported.
  throw error;
}

/** What the caller can put right; empty where the cause is another. */
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
