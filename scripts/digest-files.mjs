// The digest of files by content: dates of files say nothing after a clone or a switch of branches.
// Plain JavaScript without dependencies: scripts/run.mjs needs it before anything is installed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function digestFiles(folder, files) {
  const digest = createHash('sha256');
  for (const file of files) digest.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return digest.digest('hex');
}
