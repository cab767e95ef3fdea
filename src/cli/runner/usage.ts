import type { Verb } from '../verb.ts';
import { verbs } from '../verbs.ts';
import type { Option } from './options.ts';

/** The help for the words given so far: for one verb, a group of verbs, or all. */
export function describeUsage(words: readonly string[]): string {
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
export function verbsOfGroup(word: string | undefined): readonly Verb[] {
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
