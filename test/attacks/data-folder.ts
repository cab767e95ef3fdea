/** What other users of the machine can read, and what the first start leaves for all to see. */
import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../support/wait-until.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import type { Target } from './target.ts';

/** A start that is kept waiting by whatever else runs. */
const patienceMs = 240_000;
const forOthers = 0o077;
const mask = 0o777;

export const readableFolder: Attack = {
  name: 'readable-folder',
  does: 'A data folder that was made beforehand with mode 755, and a start under umask 000',
  wanted: 'the folder gets mode 700 or the start is refused, and no file is for others to read',
  async strike(stage): Promise<Struck> {
    const started = await stage.start({ folderMode: 0o755, umask: '000' }).then(
      (target) => ({ target, refusal: '' }),
      (error: Error) => ({ target: undefined, refusal: error.message.split('\n').at(-1) ?? '' }),
    );
    const { target, refusal } = started;
    if (!target) {
      const saysWhy = /DATA_DIR|mode|0700|700/.test(refusal);
      return {
        measured: `the start is refused: ${refusal.slice(0, 120)}`,
        wrong: wrongIn({ [`it says no reason: ${refusal}`]: !saysWhy }),
      };
    }
    const mode = statSync(target.dataFolder).mode & mask;
    const files = await readdir(target.dataFolder, { recursive: true });
    // The media are for everybody, who gets them by HTTP.
    const own = files.filter((name) => !name.startsWith('content'));
    const open = own.filter((name) => isForOthers(join(target.dataFolder, name)));
    return {
      measured: `folder ${mode.toString(8)}, ${open.length} of ${files.length} files for others`,
      wrong: wrongIn({
        [`folder ${mode.toString(8)}`]: (mode & forOthers) !== 0,
        [`for others: ${open.slice(0, 5)}`]: open.length > 0,
      }),
    };
  },
};

/** False for what is gone by now: the store moves its files. */
function isForOthers(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & forOthers) !== 0;
}

export const firstStart: Attack = {
  name: 'first-start',
  does: 'The first start under a service manager, which keeps what is printed in a journal',
  wanted:
    'no key in what is printed or logged; it lies in a file of mode 600 whose name is printed',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({});
    const file = await keyFileOf(target);
    const lines = [...target.printed, ...target.log];
    const withKey = lines.filter((line) => /pm_[\w-]{20}/.test(line));
    const mode = file === undefined ? undefined : (statSync(file).mode & mask).toString(8);
    return {
      measured: `${withKey.length} lines with a key; file of mode ${mode ?? 'none'}`,
      wrong: wrongIn({
        [`${withKey.length} lines with a key`]: withKey.length > 0,
        [`file of mode ${mode}`]: mode !== '600',
      }),
    };
  },
};

/** A file whose name is printed and which holds a key: printed a moment after "ready", if at all. */
export async function keyFileOf(target: Target): Promise<string | undefined> {
  let file: string | undefined;
  const look = async () => {
    file = await printedKeyFile(target);
    return file !== undefined;
  };
  await waitUntil('a printed file with a key', look, patienceMs).catch(() => {});
  return file;
}

async function printedKeyFile({ printed, dataFolder }: Target): Promise<string | undefined> {
  for (const [path] of printed.join('\n').matchAll(/\/[^\s:,#]+/g)) {
    if (!path.startsWith(dataFolder)) continue;
    const text = await readFile(path, 'utf8').catch(() => '');
    if (/pm_[\w-]{20}/.test(text)) return path;
  }
  return undefined;
}
