import { stripVTControlCharacters } from 'node:util';
import { type CommandDef, defineCommand, renderUsage } from 'citty';
import type { Verb } from './verb.ts';
import { verbs } from './verbs.ts';

/** The help for the words given so far: of one verb, of a group of verbs, or of all. */
export async function describeUsage(words: readonly string[]): Promise<string> {
  const asked = words.filter((word) => word !== 'help').slice(0, 2);
  const verb = verbs.find((candidate) => {
    const own = candidate.words.split(' ');
    return own.length <= asked.length && own.every((word, index) => word === asked[index]);
  });
  const text = await renderUsage(verb ? commandOf(verb) : groupOf(asked[0]));
  // It colours what is no terminal too.
  return stripVTControlCharacters(text).trimEnd();
}

function groupOf(word: string | undefined): CommandDef {
  const inGroup = verbs.filter(({ words }) => words.startsWith(`${word} `));
  const isGroup = inGroup.length > 0;
  return defineCommand({
    meta: {
      name: isGroup ? `playmeter ${word}` : 'playmeter',
      description: 'Video playback statistics and video information',
    },
    subCommands: Object.fromEntries(
      (isGroup ? inGroup : verbs).map((verb) => [
        isGroup ? verb.words.split(' ')[1] : verb.words,
        commandOf(verb),
      ]),
    ),
  });
}

function commandOf({ words, summary, options }: Verb): CommandDef {
  const meta = { name: `playmeter ${words}`, description: summary };
  return defineCommand({ meta, args: options }) as CommandDef;
}
