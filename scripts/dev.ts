/** npm run dev: runs again at every change, and builds the tracker first where it has changed. */
import { spawnSync } from 'node:child_process';
import { isTrackerBuilt } from '../tracker/built-from.mjs';

if (!isTrackerBuilt()) spawnSync(process.execPath, ['tracker/build.ts'], { stdio: 'inherit' });
await import('../src/main.ts');
