/**
 * npm run dev: runs again at every change, and builds the tracker and the dashboard first if they
 * have changed.
 */
import { spawnSync } from 'node:child_process';
import { isDashboardBuilt } from '../dashboard/built-from.mjs';
import { isTrackerBuilt } from '../tracker/built-from.mjs';

const build = (file: string) => spawnSync(process.execPath, [file], { stdio: 'inherit' });
if (!isTrackerBuilt()) build('tracker/build.ts');
if (!isDashboardBuilt()) build('dashboard/build.ts');
await import('../src/main.ts');
