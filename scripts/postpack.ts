/** `npm pack` runs it last: package.json is the clone's again. */
import { join } from 'node:path';
import { restoreManifest } from './packing/kept-manifest.ts';

restoreManifest(join(import.meta.dirname, '..'));
