/** Reads the journal as a start would, and changes nothing; beside a running service too. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../../lib/list-files.ts';
import type { JournalHealth } from '../facts.ts';
import { damagedSuffix, journalSuffix } from './journal-file.ts';
import { readFrames } from './journal-frame.ts';

/** With the folders in it: each worker has one. */
export async function checkJournal(folder: string): Promise<JournalHealth> {
  const names = await listFiles(folder);
  let facts = 0;
  const damaged: JournalHealth['damaged'][number][] = [];
  for (const file of names.filter((name) => name.endsWith(journalSuffix))) {
    // Files go as soon as the store has their facts.
    const bytes = await readFile(join(folder, file)).catch(ifMissing(Buffer.alloc(0)));
    // A torn end is a write that was never acknowledged as durable.
    const { frames, damagedPlaces } = readFrames(bytes);
    facts += frames.reduce((sum, { batch }) => sum + batch.count, 0);
    if (damagedPlaces.length > 0) damaged.push({ file, places: damagedPlaces.length });
  }
  return { facts, damaged, setAside: names.filter((name) => name.endsWith(damagedSuffix)) };
}

function ifMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}
