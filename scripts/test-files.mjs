// Which words of `npm test -- ...` name no test file, said before anything is installed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['src', 'test', 'tracker', 'client', 'dashboard'];

/** As vitest takes them: a word is part of the path of a file. What follows an option is its value. */
export function wordsWithoutTests(root, words) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .map((path) => join(folder, path)),
  );
  return words.filter((word, place) => {
    const isFilter = !word.startsWith('-') && !words[place - 1]?.startsWith('-');
    const path = word.replace(/^\.\//, '').replace(/:\d+$/, '');
    return isFilter && !files.some((file) => file.includes(path) || join(root, file) === path);
  });
}
