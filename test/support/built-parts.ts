/** The tests run the program, tracker and dashboard that the sources describe, however started. */
import { execFileSync } from 'node:child_process';
import { isDashboardBuilt } from '../../dashboard/built-from.mjs';
import { isProgramBuilt } from '../../scripts/program/built-from.mjs';
import { isTrackerBuilt } from '../../tracker/built-from.mjs';

export default function setup(): void {
  const build = (file: string) => execFileSync(process.execPath, [file], { stdio: 'inherit' });
  if (!isProgramBuilt()) build('scripts/program/build.ts');
  if (!isTrackerBuilt()) build('tracker/build.ts');
  if (!isDashboardBuilt()) build('dashboard/build.ts');
}
