import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** Also what `APP_SECRET` must have at least. */
const shortestLength = 32;

/** APP_SECRET, or one generated at the first start and kept in the data folder. */
export async function readSecret(config: Config): Promise<string> {
  if (config.APP_SECRET) return config.APP_SECRET;
  const file = join(config.DATA_DIR, 'secret');
  const kept = await readKept(file);
  // A start that was killed can have left less: with an empty secret anyone could seal a token.
  if (kept !== undefined && kept.length >= shortestLength) return kept;
  const made = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(made, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    if (kept === undefined) await putIfNone(made, file);
    else await rename(made, file);
  } finally {
    await rm(made, { force: true });
  }
  return readFile(file, 'utf8');
}

async function readKept(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** The service and a verb may both be the first: then one's file stays, and both read it. */
async function putIfNone(made: string, file: string): Promise<void> {
  await link(made, file).catch((error) => {
    if (error.code === 'EEXIST') return;
    // Some file systems have no links.
    return rename(made, file);
  });
}
