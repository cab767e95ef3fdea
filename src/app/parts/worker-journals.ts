/** Each worker has a journal of its own; the first has that of a service of one process. */
import { join } from 'node:path';
import { listFolders } from '../../lib/list-files.ts';

export function journalOf(dataFolder: string, worker = 1): string {
  const folder = join(dataFolder, 'journal');
  return worker === 1 ? folder : join(folder, `worker-${worker}`);
}

/** Of an earlier run with more workers than now. */
export async function leftJournals(dataFolder: string, workers = 1): Promise<string[]> {
  const folder = journalOf(dataFolder);
  const left = (await listFolders(folder)).filter((name) => {
    const number = /^worker-(\d+)$/.exec(name)?.[1];
    return number !== undefined && Number(number) > workers;
  });
  return left.map((name) => join(folder, name));
}
