import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** APP_SECRET, or one made at the first start and kept in the data folder. */
export async function readSecret(config: Config): Promise<string> {
  if (config.APP_SECRET) return config.APP_SECRET;
  const file = join(config.DATA_DIR, 'secret');
  const made = randomBytes(32).toString('base64url');
  // Of two that start at once one makes it and both read it.
  await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}
