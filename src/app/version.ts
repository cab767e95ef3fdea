/** The release of this program, as its package names it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../lib/folders.ts';

export const { version } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
) as { readonly version: string };
