/** The tests serve the tracker and dashboard that the sources describe, however they are started. */
import { execFileSync } from 'node:child_process';
import { isDashboardBuilt } from '../../dashboard/built-from.mjs';
import { isTrackerBuilt } from '../../tracker/built-from.mjs';

export default function setup(): void {
  const build = (file: string) => execFileSync(process.execPath, [file], { stdio: 'inherit' });
  if (!isTrackerBuilt()) build('tracker/build.ts');
  if (!isDashboardBuilt()) build('dashboard/build.ts');
}
