/** Where the tables are those of an earlier release: only the service and `migrate` change them. */
import type { Config } from '../config/config.ts';
import { Fault } from '../vocabulary/faults.ts';
import { isInUse } from './data-folder.ts';

/** Says what to do about tables that were refused as they were found; any other error as it is. */
export async function sayWhatToDo(
  error: unknown,
  config: Pick<Config, 'DATA_DIR'>,
): Promise<never> {
  if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
  const { DATA_DIR: folder } = config;
  const todo = (await isInUse(folder))
    ? `That release runs on ${folder} (DATA_DIR): use its own verbs, or stop it and start this one`
    : 'Start the service of this release, or run `playmeter migrate`; ' +
      'if a node of that release still runs, stop it first';
  throw new Fault('CONFLICT', `${error.message}. ${todo}`);
}
