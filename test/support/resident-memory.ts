import { readFileSync } from 'node:fs';

/**
 * Resident memory of processes together, in MB. Pages of a file that several have in memory, such
 * as those of Node itself, are there once and count once. A process that is gone has none.
 */
export function residentMb(...processIds: readonly number[]): number {
  const ofFiles = new Map<string, number>();
  let anonymousKb = 0;
  for (const processId of processIds) {
    const ofProcess = new Map<string, number>();
    for (const { file, residentKb, ownKb } of mappingsOf(processId)) {
      anonymousKb += ownKb;
      ofProcess.set(file, (ofProcess.get(file) ?? 0) + residentKb - ownKb);
    }
    for (const [file, kb] of ofProcess) ofFiles.set(file, Math.max(ofFiles.get(file) ?? 0, kb));
  }
  const filesKb = [...ofFiles.values()].reduce((sum, kb) => sum + kb, 0);
  return (anonymousKb + filesKb) / 1_024;
}

/** As Linux lists them: a line of each mapping, and then one a figure. */
function* mappingsOf(processId: number) {
  const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/;
  let of: { file: string; residentKb: number; ownKb: number } | undefined;
  for (const line of linesOf(`/proc/${processId}/smaps`)) {
    const file = mapping.exec(line)?.[1];
    if (file !== undefined) {
      if (of) yield of;
      of = { file, residentKb: 0, ownKb: 0 };
    }
    const [, name, kb] = /^(Rss|Anonymous): +(\d+) kB$/.exec(line) ?? [];
    if (of && name === 'Rss') of.residentKb = Number(kb);
    if (of && name === 'Anonymous') of.ownKb = Number(kb);
  }
  if (of) yield of;
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
